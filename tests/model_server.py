"""A real OpenAI-compatible server on loopback over a transformers model: chat, completion, JSON
that follows a schema, log-probabilities, usage."""

import json
import threading

from loopback import Reply, serving

TEMPLATE = (
    "{% for message in messages %}<{{ message['role'] }}> {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


class ModelServer:
    """Serves the checkpoint in a folder; one call at a time goes through the model.

    A schema is followed as servers with grammars do it: object, keys and types are forced, and
    the model fills in the values.
    """

    def __init__(self, folder, name="tiny"):
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.torch = torch
        self.name = name
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.tokenizer.chat_template = TEMPLATE
        self.model = AutoModelForCausalLM.from_pretrained(folder).eval()
        self.lock = threading.Lock()
        self.serving = serving(self.answer)

    def __enter__(self):
        self.url = f"{self.serving.__enter__().url}/v1"
        return self

    def __exit__(self, *error):
        self.serving.__exit__(*error)

    def answer(self, call):
        body = call.json
        if body.get("model") != self.name:
            status, reply = 404, {"error": {"message": f"The model {body.get('model')!r} is not."}}
        elif call.path.endswith("/chat/completions"):
            status, reply = 200, self.chat(body)
        elif call.path.endswith("/completions"):
            status, reply = 200, self.completion(body)
        else:
            status, reply = 404, {"error": {"message": call.path}}
        return Reply(reply, status, {"Content-Type": "application/json"})

    def chat(self, body):
        text = self.tokenizer.apply_chat_template(
            body["messages"], tokenize=False, add_generation_prompt=True
        )
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        top = body.get("top_logprobs", 0) if body.get("logprobs") else 0
        said, places, finish, usage = self.generate(text, body, top)
        if schema:
            said, finish = json.dumps(self.filled(schema, said)), "stop"
        tops = [
            {
                "token": tokens[0][0],
                "logprob": tokens[0][1],
                "top_logprobs": [{"token": token, "logprob": value} for token, value in tokens],
            }
            for tokens in places
        ]
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": finish}
        return {"choices": [choice | {"logprobs": {"content": tops} if top else None}]} | usage

    def completion(self, body):
        top = body.get("logprobs") or 0
        said, places, finish, usage = self.generate(body["prompt"], body, top)
        tops = {"top_logprobs": [dict(tokens) for tokens in places]} if top else None
        return {"choices": [{"text": said, "finish_reason": finish, "logprobs": tops}]} | usage

    def generate(self, text, body, top):
        """Return text, likeliest tokens by place, why it ended, and the usage."""
        torch, tokenizer = self.torch, self.tokenizer
        ids = tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        start, places, finish = ids.shape[1], [], "length"
        with self.lock, torch.inference_mode():
            for _ in range(body["max_tokens"]):
                scores = self.model(input_ids=ids).logits[0, -1].float().log_softmax(-1)
                values, tokens = scores.topk(max(top, 1))
                pairs = zip(tokens.tolist(), values.tolist(), strict=True)
                places.append([(tokenizer.decode([token]), value) for token, value in pairs])
                if tokens[0] == tokenizer.eos_token_id:
                    finish = "stop"
                    break
                ids = torch.cat([ids, tokens[:1, None]], dim=1)
        usage = {"prompt_tokens": start, "completion_tokens": len(places)}
        said = tokenizer.decode(ids[0, start:], skip_special_tokens=True)
        return said, places, finish, {"usage": usage}

    def filled(self, schema, said):
        """Return a value of the schema that holds what the model said."""
        if schema.get("type") == "object":
            return {key: self.filled(each, said) for key, each in schema["properties"].items()}
        if schema.get("type") == "array":
            return [self.filled(schema["items"], said)]
        return {"integer": len(said), "number": float(len(said)), "boolean": bool(said)}.get(
            schema.get("type"), said
        )
