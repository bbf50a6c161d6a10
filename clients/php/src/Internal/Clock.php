<?php

declare(strict_types=1);

namespace Cowrie\Internal;

interface Clock
{
    /** Seconds that only go forward. */
    public function now(): float;

    public function sleep(float $seconds): void;
}
