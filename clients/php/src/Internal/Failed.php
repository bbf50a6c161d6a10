<?php

declare(strict_types=1);

namespace Cowrie\Internal;

use Cowrie\Error\CowrieError;

/** A try that failed. */
final class Failed extends \RuntimeException
{
    /**
     * @param 'never'|'always'|'if safe' $again whether another try may help; always: nothing was done
     * @param bool $maybeDone the gateway may have done it
     * @param bool $settled   it is the gateway's answer to this very request, whatever became of earlier tries of it
     */
    public function __construct(
        public readonly CowrieError $error,
        public readonly string $again,
        public readonly bool $maybeDone,
        public readonly bool $settled = false,
    ) {
        parent::__construct($error->getMessage());
    }
}
