<?php

declare(strict_types=1);

namespace Cowrie\Http;

final readonly class Response
{
    /** @param array<string, string> $headers names in lower case */
    public function __construct(public int $status, public array $headers, public string $body)
    {
    }
}
