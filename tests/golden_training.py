"""The golden family `cr_loss`: the three terms of the loss, their sum and its gradients."""

from functools import partial


def padded(rows, width, dimensions):
    """Return [B, most, D] with nan where a row has no more, and the mask."""
    import torch

    values = torch.full((len(rows), width, dimensions), torch.nan, dtype=torch.float64)
    mask = torch.zeros(len(rows), width, dtype=torch.bool)
    for row, members in enumerate(rows):
        for place, member in enumerate(members):
            values[row, place] = torch.tensor(member, dtype=torch.float64)
            mask[row, place] = True
    return values.requires_grad_(), mask


def cr_loss(alignment, margin, ranking, inputs, expected):
    import torch

    from leadline.training import losses

    def tensor(name):
        return torch.tensor(inputs[name], dtype=torch.float64, requires_grad=True)

    query, positive = tensor("anchors"), tensor("positives")
    counts = {name: [len(each) for each in inputs[name]] for name in ("variants", "negatives")}
    # One place more than any row needs, so that padding is there in every case.
    variants, mask = padded(inputs["variants"], max(counts["variants"]) + 1, query.shape[1])
    negatives, negative_mask = padded(
        inputs["negatives"], max(counts["negatives"]) + 1, query.shape[1]
    )
    both = {"rephrasing_mask": mask, "negative_mask": negative_mask}
    ranking = {"scale": inputs["scale"], "negative_mask": negative_mask, **ranking}
    total = losses.coherence_ranking_loss(
        query, variants, positive, negatives,
        alignment=inputs["lambda1"], margin=inputs["lambda2"],
        **{**both, **alignment, **margin, **ranking},
    )  # fmt: skip
    total.backward()

    def gradients(values, held):
        if values.grad is None:
            return [[[0.0] * query.shape[1]] * count for count in held]
        return [row[:count].tolist() for row, count in zip(values.grad, held, strict=True)]

    return {
        "qea": losses.query_embedding_alignment(
            query, variants, rephrasing_mask=mask, **alignment
        ).item(),
        "smc": losses.similarity_margin_consistency(
            query, variants, positive, negatives, **both, **margin
        ).item(),
        "mnr": losses.multiple_negatives_ranking(query, positive, negatives, **ranking).item(),
        "total": total.item(),
        "grad": {
            "anchors": query.grad.tolist(),
            "variants": gradients(variants, counts["variants"]),
            "positives": positive.grad.tolist(),
            "negatives": gradients(negatives, counts["negatives"]),
        },
    }


HANDLERS = {
    "cr_loss": {
        ("cr_loss", "default"): partial(cr_loss, {}, {}, {}),
        ("cr_loss", "qea_variants_denominator"): partial(
            cr_loss, {"divisor": "rephrasings"}, {}, {}
        ),
        ("cr_loss", "qea_mse_per_dimension"): partial(cr_loss, {"per_dimension": True}, {}, {}),
        ("cr_loss", "qea_normalised_embeddings"): partial(cr_loss, {"normalize": True}, {}, {}),
        ("cr_loss", "smc_in_batch_negatives"): partial(cr_loss, {}, {"compared_with": "batch"}, {}),
        ("cr_loss", "smc_mean"): partial(cr_loss, {}, {"reduction": "mean"}, {}),
        ("cr_loss", "mnr_own_negatives_only"): partial(cr_loss, {}, {}, {"candidates": "own"}),
    }
}
