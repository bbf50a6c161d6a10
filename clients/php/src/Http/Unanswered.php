<?php

declare(strict_types=1);

namespace Cowrie\Http;

/** There is no answer. */
final class Unanswered extends \RuntimeException
{
    /** No connection was made, so nothing was sent. */
    public const NOT_SENT = 'not sent';
    /** It may have arrived. */
    public const LOST = 'lost';
    /** It may have arrived; the limit was reached. */
    public const TOO_LATE = 'too late';

    /** @param self::* $how */
    public function __construct(public readonly string $how, string $reason)
    {
        parent::__construct($reason);
    }
}
