<?php

declare(strict_types=1);

namespace Cowrie\Internal;

/** Seconds. */
final readonly class Limits
{
    public function __construct(public float $deadline, public float $tryTimeout, public int $retries)
    {
    }
}
