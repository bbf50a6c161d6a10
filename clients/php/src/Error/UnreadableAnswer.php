<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** A page of a proxy, a redirect, half an answer. */
final class UnreadableAnswer extends CowrieError
{
    public function __construct(int $status, string $message)
    {
        parent::__construct('UNREADABLE_ANSWER', $message, $status);
    }
}
