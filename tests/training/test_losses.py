"""The losses at points where their value is known, and what padding must not do."""

import math

import pytest

from tables import each_row

torch = pytest.importorskip("torch")

from leadline.training.losses import (  # noqa: E402
    coherence_ranking_loss,
    multiple_negatives_ranking,
    query_embedding_alignment,
)


def doubles(*shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator).requires_grad_()


def test_an_excluded_document_is_not_ranked_against():
    # Rows 0 and 1 share a positive; each then has 3 equal candidates, rows 2 and 3 have 4.
    ones = torch.ones(4, 3)
    excluded = torch.zeros(4, 4, dtype=torch.bool)
    excluded[0, 1] = excluded[1, 0] = True
    value = multiple_negatives_ranking(ones, ones, excluded=excluded).item()
    assert value == pytest.approx((2 * math.log(3) + 2 * math.log(4)) / 4)


def test_a_cluster_of_one_adds_nothing_and_no_gradient():
    query, positive, negatives = doubles(2, 3), doubles(2, 3, seed=1), doubles(2, 1, 3, seed=2)
    nothing = torch.zeros(2, 0, 3, dtype=torch.float64)
    whole = coherence_ranking_loss(query, nothing, positive, negatives, alignment=1, margin=1)
    alone = multiple_negatives_ranking(query, positive, negatives)
    assert torch.equal(whole, alone)
    (with_terms,) = torch.autograd.grad(whole, query)
    (without,) = torch.autograd.grad(alone, query)
    assert torch.equal(with_terms, without)


@each_row
def test_gradients_agree_with_finite_differences(options):
    inputs = (doubles(3, 4), doubles(3, 2, 4, seed=1), doubles(3, 4, seed=2),
              doubles(3, 2, 4, seed=3))  # fmt: skip
    masks = {
        "rephrasing_mask": torch.tensor([[True, True], [True, False], [False, False]]),
        "negative_mask": torch.tensor([[True, False], [True, True], [False, False]]),
    }

    def loss(*tensors):
        return coherence_ranking_loss(*tensors, alignment=0.5, margin=0.8, **masks, **options)

    assert torch.autograd.gradcheck(loss, inputs)


@pytest.mark.parametrize("filler", [0.0, 1e30, math.nan, math.inf])
@pytest.mark.parametrize("options", [{}, {"compared_with": "batch", "reduction": "mean"}])
def test_padding_reaches_neither_value_nor_gradient(filler, options):
    query, positive = doubles(2, 3), doubles(2, 3, seed=1)
    rephrasings, negatives = doubles(2, 1, 3, seed=2), doubles(2, 1, 3, seed=3)
    mask = torch.tensor([[True, False], [True, False]])

    def padded(members):
        more = torch.full((2, 1, 3), filler, dtype=torch.float64)
        return torch.cat([members.detach(), more], 1).requires_grad_()

    wide, wide_negatives = padded(rephrasings), padded(negatives)
    plain = coherence_ranking_loss(
        query, rephrasings, positive, negatives, alignment=1, margin=1, **options
    )
    with_padding = coherence_ranking_loss(
        query, wide, positive, wide_negatives,
        alignment=1, margin=1, rephrasing_mask=mask, negative_mask=mask, **options,
    )  # fmt: skip
    assert with_padding.item() == pytest.approx(plain.item(), abs=1e-12)
    expected = torch.autograd.grad(plain, (query, positive, rephrasings, negatives))
    got = torch.autograd.grad(with_padding, (query, positive, wide, wide_negatives))
    for ours, theirs in zip(got[:2], expected[:2], strict=True):
        assert torch.allclose(ours, theirs, atol=1e-12)
    for ours, theirs in zip(got[2:], expected[2:], strict=True):
        assert torch.allclose(ours[:, :1], theirs, atol=1e-12)
        assert torch.equal(ours[:, 1:], torch.zeros(2, 1, 3, dtype=torch.float64))


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"rephrasings must have the shape \[2, any, 3\], got"):
        query_embedding_alignment(doubles(2, 3), doubles(3, 1, 3))
    with pytest.raises(ValueError, match=r"positive must have the shape \[2, 3\], got \[1, 3\]"):
        multiple_negatives_ranking(doubles(2, 3), doubles(1, 3))
    with pytest.raises(ValueError, match="at least 0"):
        coherence_ranking_loss(
            doubles(2, 3), doubles(2, 1, 3), doubles(2, 3), alignment=-1, margin=0
        )


def test_the_ranking_term_is_that_of_sentence_transformers():
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    query, positive, negatives = doubles(4, 5), doubles(4, 5, seed=1), doubles(4, 2, 5, seed=2)
    theirs = MultipleNegativesRankingLoss(None).compute_loss_from_embeddings(
        [query, positive, negatives[:, 0], negatives[:, 1]], None
    )
    assert multiple_negatives_ranking(query, positive, negatives).item() == pytest.approx(
        theirs.item(), abs=1e-12
    )
