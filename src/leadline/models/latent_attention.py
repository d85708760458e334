"""A bidirectional decoder with latent attention over its token vectors (NV-Embed).

Such checkpoints bring their own code, written for transformers 4. This file registers the
architecture with transformers, so that they load without running that code.
"""

from __future__ import annotations

from typing import Any, ClassVar

from leadline.errors import needs

with needs("dense"):
    import torch
    from torch import nn
    from torch.nn import functional
    from transformers import AutoConfig, AutoModel, MistralConfig, MistralModel
    from transformers.configuration_utils import PretrainedConfig
    from transformers.modeling_outputs import BaseModelOutput
    from transformers.modeling_utils import PreTrainedModel

_EXPANSION = 4
_NOT_SETTINGS = (
    "model_type", "architectures", "auto_map", "dtype", "torch_dtype", "is_causal", "use_cache",
)  # fmt: skip


class LatentAttentionConfig(PretrainedConfig):
    """The content of `config.json` of such a checkpoint.

    text_config              the decoder, a Mistral of which every setting may be left out
    latent_attention_config  hidden_dim, num_latents_value, num_cross_heads, cross_dim_head
    """

    model_type = "nvembed"
    sub_configs: ClassVar = {"text_config": MistralConfig}

    def __init__(
        self,
        text_config: Any = None,
        latent_attention_config: dict[str, Any] | None = None,
        **others: Any,
    ) -> None:
        given = text_config.to_dict() if isinstance(text_config, MistralConfig) else text_config
        settings = {key: value for key, value in (given or {}).items() if key not in _NOT_SETTINGS}
        # Read in both directions.
        self.text_config = MistralConfig(**settings, is_causal=False, use_cache=False)
        self.latent_attention_config = latent_attention_config or {}
        others["hidden_size"] = self.text_config.hidden_size
        others["max_position_embeddings"] = self.text_config.max_position_embeddings
        super().__init__(**others)


class LatentAttentionModel(PreTrainedModel):
    """Token vectors of a decoder, after cross attention to a latent array.

    Their mean over a text, instruction tokens left out, is its embedding.
    Source: Lee et al., NV-Embed: Improved Techniques for Training LLMs as Generalist Embedding
    Models, section 3.2.
    """

    config_class = LatentAttentionConfig
    base_model_prefix = ""
    _no_split_modules = ("MistralDecoderLayer", "LatentAttention")
    _supports_sdpa = True
    _supports_flash_attn = True

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.embedding_model = MistralModel(config.text_config)
        given = config.latent_attention_config  # what is left out is as published
        dim = given.get("hidden_dim", config.text_config.hidden_size)
        self.latent_attention_model = LatentAttention(
            dim,
            given.get("num_latents_value", 512),
            given.get("num_cross_heads", 8),
            given.get("cross_dim_head", dim),
        )
        self.post_init()

    def forward(self, input_ids: Any, attention_mask: Any = None, **_: Any) -> Any:
        """Return `last_hidden_state`, [batch, tokens, hidden_dim]."""
        read = self.embedding_model(input_ids=input_ids, attention_mask=attention_mask)
        return BaseModelOutput(
            last_hidden_state=self.latent_attention_model(read.last_hidden_state)
        )


class LatentAttention(nn.Module):
    """Cross attention from every token to an array of latents, then a gated network.

    Parameters have the names that published checkpoints give them.
    """

    def __init__(self, dim: int, latents: int, heads: int, head_dim: int) -> None:
        super().__init__()
        self.heads = heads
        self.latents = nn.Parameter(torch.randn(latents, dim))
        inner = heads * head_dim
        attention = nn.Module()
        attention.norm = nn.LayerNorm(dim)
        attention.norm_context = nn.LayerNorm(dim)
        attention.fn = nn.Module()
        attention.fn.to_q = nn.Linear(dim, inner, bias=False)
        attention.fn.to_kv = nn.Linear(dim, 2 * inner, bias=False)
        attention.fn.to_out = nn.Linear(inner, dim, bias=False)
        network = nn.Module()
        network.norm = nn.LayerNorm(dim)
        network.fn = nn.Module()
        wide = _EXPANSION * dim
        network.fn.net = nn.Sequential(nn.Linear(dim, 2 * wide), _Gate(), nn.Linear(wide, dim))
        self.cross_attend_blocks = nn.ModuleList([attention, network])

    def forward(self, tokens: Any) -> Any:
        """Return the tokens [batch, tokens, dim] after both residual blocks."""
        attention, network = self.cross_attend_blocks
        queries = attention.fn.to_q(attention.norm(tokens))
        keys, values = attention.fn.to_kv(attention.norm_context(self.latents)).chunk(2, dim=-1)
        batch, length, _ = queries.shape
        queries = queries.view(batch, length, self.heads, -1).transpose(1, 2)
        keys, values = (
            each.view(1, len(self.latents), self.heads, -1)
            .transpose(1, 2)
            .expand(batch, -1, -1, -1)
            for each in (keys, values)
        )
        found = functional.scaled_dot_product_attention(queries, keys, values)
        found = found.transpose(1, 2).reshape(batch, length, -1)
        tokens = attention.fn.to_out(found) + tokens
        return network.fn.net(network.norm(tokens)) + tokens


class _Gate(nn.Module):
    def forward(self, both: Any) -> Any:
        values, gates = both.chunk(2, dim=-1)
        return values * functional.gelu(gates)


AutoConfig.register(LatentAttentionConfig.model_type, LatentAttentionConfig, exist_ok=True)
AutoModel.register(LatentAttentionConfig, LatentAttentionModel, exist_ok=True)
