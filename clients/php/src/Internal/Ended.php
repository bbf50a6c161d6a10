<?php

declare(strict_types=1);

namespace Cowrie\Internal;

use Cowrie\Error\CowrieError;

/** A call that ended without an answer. */
final class Ended extends \RuntimeException
{
    public function __construct(public readonly CowrieError $error, public readonly bool $maybeDone)
    {
        parent::__construct($error->getMessage());
    }
}
