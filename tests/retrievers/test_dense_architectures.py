"""Every architecture of the catalog, tiny and random, through the row and the loader it names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tables import each_row

pytest.importorskip("sentence_transformers")

from leadline.errors import InputError
from leadline.systems.catalog import ROWS
from leadline.systems.chains import load_system
from tiny_encoders import ROW_OF, TEXTS, row, vectors

Folder = Callable[[str], Path]


def states(folder: Path, text: str, *, both_ways: bool = False, ends: bool = False) -> np.ndarray:
    """Return the states of the last layer as transformers itself gives them, [tokens, D]."""
    import torch
    from transformers import AutoConfig, AutoModel, AutoTokenizer, T5EncoderModel

    config = AutoConfig.from_pretrained(folder)
    if both_ways:
        config.is_causal = False
    kind = T5EncoderModel if config.model_type == "t5" else AutoModel
    model = kind.from_pretrained(folder, config=config).eval()
    ids = AutoTokenizer.from_pretrained(folder)(text)["input_ids"] + [3] * ends
    with torch.no_grad():
        result = model(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)).long())
    return np.asarray(result.last_hidden_state[0].numpy())


def unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / np.linalg.norm(vector))


@pytest.mark.parametrize("kind", ROW_OF)
def test_neither_batch_nor_padding_changes_a_vector(folder_of: Folder, kind: str) -> None:
    name, folder = ROW_OF[kind], folder_of(kind)
    expected = vectors(row(name, folder, batch_size=1), TEXTS)
    assert np.abs(expected[0] - expected[1]).max() > 1e-2  # the texts do differ
    for padding in ("left", "right"):
        if padding == "left" and kind == "bert":
            continue  # it counts positions from the first token, see below
        found = vectors(row(name, folder, padding=padding), TEXTS)
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_padding_on_the_left_is_refused_where_it_moves_positions(folder_of: Folder) -> None:
    with pytest.raises(InputError, match="padding=left does not work"):
        vectors(row("bge-large-en-v1.5", folder_of("bert"), padding="left"), TEXTS)


def test_the_first_token_stands_for_the_text(folder_of: Folder) -> None:
    folder = folder_of("bert")
    expected = unit(states(folder, "a cat")[0])
    np.testing.assert_allclose(
        vectors(row("bge-large-en-v1.5", folder), ["a cat"])[0], expected, atol=1e-5
    )


def test_the_end_token_is_added_and_stands_for_the_text(folder_of: Folder) -> None:
    folder = folder_of("mistral")
    expected = unit(states(folder, "a cat", ends=True)[-1])
    np.testing.assert_allclose(
        vectors(row("e5-mistral-7b-instruct", folder), ["a cat"])[0], expected, atol=1e-5
    )


def test_a_query_follows_its_instruction(folder_of: Folder) -> None:
    folder = folder_of("mistral")
    instruction = ROWS["e5-mistral-7b-instruct"].options["instruction"]
    prompt = f"Instruct: {instruction}\nQuery: a cat"
    expected = unit(states(folder, prompt, ends=True)[-1])
    found = vectors(row("e5-mistral-7b-instruct", folder), ["a cat"], "query")[0]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_decoder_can_be_read_in_both_directions(folder_of: Folder) -> None:
    folder = folder_of("qwen2")
    one_way, both = states(folder, "a cat"), states(folder, "a cat", both_ways=True)
    assert np.abs(one_way[0] - both[0]).max() > 1e-3  # the first token sees what follows it
    expected = unit(states(folder, "a cat", both_ways=True, ends=True)[-1])
    found = vectors(row("gte-qwen2-7b-instruct", folder), ["a cat"])[0]
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "kind", "prompt_tokens", "both_ways"),
    # <s> <| embed |>, and <s> Represent the Wikipedia document for retrieval :
    [("gritlm-7b", "mistral", 4, True), ("instructor-xl", "t5", 8, False)],
)
def test_tokens_of_the_prompt_do_not_count(
    folder_of: Folder, name: str, kind: str, prompt_tokens: int, both_ways: bool
) -> None:
    folder = folder_of(kind)
    prompt = ROWS[name].options["document_prompt"]
    all_states = states(folder, f"{prompt}a cat", both_ways=both_ways)
    expected = unit(all_states[prompt_tokens:].mean(0))
    np.testing.assert_allclose(vectors(row(name, folder), ["a cat"])[0], expected, atol=1e-5)


def test_latent_attention_pools_what_every_token_finds_in_the_latents(folder_of: Folder) -> None:
    import torch
    from transformers import AutoModel

    folder = folder_of("latent attention")
    model = AutoModel.from_pretrained(folder).eval()
    weights = {name: value.double() for name, value in model.state_dict().items()}

    def part(name: str) -> Any:
        return weights[f"latent_attention_model.{name}"]

    def norm(x: Any, name: str) -> Any:
        centred = x - x.mean(-1, keepdim=True)
        scale = (centred.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()
        return centred / scale * part(f"{name}.weight") + part(f"{name}.bias")

    with torch.no_grad():
        ids = torch.tensor([[2, 4, 5, 3]])  # <s> a cat </s>
        tokens = model.embedding_model(input_ids=ids).last_hidden_state[0].double()
    attention, network = "cross_attend_blocks.0", "cross_attend_blocks.1"
    queries = norm(tokens, f"{attention}.norm") @ part(f"{attention}.fn.to_q.weight").T
    both = norm(part("latents"), f"{attention}.norm_context")
    keys, values = (both @ part(f"{attention}.fn.to_kv.weight").T).chunk(2, -1)
    heads = []
    for head in (slice(0, 8), slice(8, 16)):
        shares = (queries[:, head] @ keys[:, head].T / 8**0.5).softmax(-1)
        heads.append(shares @ values[:, head])
    tokens = tokens + torch.cat(heads, -1) @ part(f"{attention}.fn.to_out.weight").T
    hidden = norm(tokens, f"{network}.norm") @ part(f"{network}.fn.net.0.weight").T
    kept, gates = (hidden + part(f"{network}.fn.net.0.bias")).chunk(2, -1)
    gated = kept * torch.nn.functional.gelu(gates)
    found = gated @ part(f"{network}.fn.net.2.weight").T + part(f"{network}.fn.net.2.bias")
    expected = unit((found + tokens).mean(0).numpy())
    np.testing.assert_allclose(
        vectors(row("nv-embed-v2", folder), ["a cat"])[0], expected, atol=1e-5
    )


def test_a_text_stays_out_of_the_chat_template_of_a_language_model(
    folder_of: Folder, tmp_path: Path
) -> None:
    import shutil

    from transformers import AutoTokenizer

    folder = folder_of("mistral")
    chatting = tmp_path / "chatting"
    shutil.copytree(folder, chatting)
    tokenizer = AutoTokenizer.from_pretrained(chatting)
    tokenizer.chat_template = "{% for turn in messages %}star {{ turn.content }}{% endfor %}"
    tokenizer.save_pretrained(chatting)
    for side in ("query", "document"):
        expected = vectors(row("e5-mistral-7b-instruct", folder), TEXTS, side)
        found = vectors(row("e5-mistral-7b-instruct", chatting), TEXTS, side)
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_what_follows_a_text_is_never_cut_off(folder_of: Folder) -> None:
    folder = folder_of("mistral")
    options = {"max_length": 6, "document_prompt": "query : {text} star", "normalize": False}
    retriever = row("e5-mistral-7b-instruct", folder, **options)
    # <s> query : cat star </s> fills the six tokens, so one word of the text is left.
    long, short = vectors(retriever, ["cat train a", "cat"])
    np.testing.assert_allclose(long, short, atol=1e-6)


def test_queries_and_documents_are_read_with_adapters_of_their_own(
    folder_of: Folder, tmp_path: Path
) -> None:
    peft = pytest.importorskip("peft")
    import shutil

    import torch
    from transformers import AutoModel

    folder = tmp_path / "jina"
    shutil.copytree(folder_of("jina"), folder)
    expected = {}
    for seed, name in enumerate(("retrieval_query", "retrieval_passage")):
        torch.manual_seed(seed)
        config = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
        adapted = peft.get_peft_model(AutoModel.from_pretrained(folder), config)
        adapted.save_pretrained(folder / name)
        adapted.merge_and_unload().save_pretrained(tmp_path / name)
        shutil.copy(folder / "tokenizer.json", tmp_path / name)
        shutil.copy(folder / "tokenizer_config.json", tmp_path / name)
    retriever = row("jina-embeddings-v3", folder, query_prompt="", document_prompt="")
    for side, name in (("query", "retrieval_query"), ("document", "retrieval_passage")):
        expected[side] = unit(states(tmp_path / name, "a cat").mean(0))
        np.testing.assert_allclose(
            vectors(retriever, ["a cat"], side)[0], expected[side], atol=1e-5
        )
    assert np.abs(expected["query"] - expected["document"]).max() > 1e-3


@each_row
def test_number_formats_and_devices_that_do_not_go_together_are_refused(
    system: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        load_system(system)
