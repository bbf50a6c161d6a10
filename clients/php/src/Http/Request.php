<?php

declare(strict_types=1);

namespace Cowrie\Http;

final readonly class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public string $method,
        public string $url,
        #[\SensitiveParameter] public array $headers,
        public ?string $body,
    ) {
    }

    /** With the token of this try. */
    public function with(string $name, #[\SensitiveParameter] string $value): self
    {
        return new self($this->method, $this->url, [...$this->headers, $name => $value], $this->body);
    }

    public function origin(): string
    {
        return implode('/', array_slice(explode('/', $this->url), 0, 3));
    }
}
