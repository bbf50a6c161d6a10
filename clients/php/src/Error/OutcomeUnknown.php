<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** A call that moves money, and no answer to it. The money may have moved. Do not start a new one: ask, or repeat this one. */
final class OutcomeUnknown extends CowrieError
{
    /**
     * @param string              $operation      `transfers.initiate`
     * @param string              $idempotencyKey keep it with your record, to repeat the call later from another process
     * @param string              $reference      yours, of what was asked for
     * @param \Closure(): ?array  $asking
     * @param \Closure(): array   $repeating
     */
    public function __construct(
        public readonly string $operation,
        public readonly string $idempotencyKey,
        public readonly string $reference,
        CowrieError $last,
        private readonly \Closure $asking,
        private readonly \Closure $repeating,
    ) {
        parent::__construct(
            'OUTCOME_UNKNOWN',
            "The outcome of $operation $reference is not known: {$last->getMessage()} It may have been done. Ask with ask(), or make "
                . 'sure of it with repeat(); a new call with another key could do it twice.',
            $last->status,
            $last->docUrl,
            $last->requestId,
            $last,
        );
    }

    /** Asks the gateway what became of it; moves nothing. Null: the gateway does not know it, so far. */
    public function ask(): ?array
    {
        return ($this->asking)();
    }

    /** Sends the same request under the same key: the gateway does it once, and answers as it did or would have done. */
    public function repeat(): array
    {
        return ($this->repeating)();
    }
}
