<?php

declare(strict_types=1);

namespace Cowrie;

/** Of one call; what is null is as the client was made. Times are in seconds. */
final readonly class Options
{
    /**
     * @param string|null $idempotencyKey your own: a repeat with the same key within 30 days gets the first answer
     * @param float|null  $deadline       for the whole call: log-in, every try, and the waits between them
     * @param float|null  $tryTimeout     for one try
     * @param int|null    $retries        tries after the first; only what is safe to repeat is repeated
     */
    public function __construct(
        public ?string $idempotencyKey = null,
        public ?float $deadline = null,
        public ?float $tryTimeout = null,
        public ?int $retries = null,
    ) {
    }
}
