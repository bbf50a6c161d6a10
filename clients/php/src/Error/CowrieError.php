<?php

declare(strict_types=1);

namespace Cowrie\Error;

/**
 * Everything that can go wrong. `catch` asks what kind it is, `errorCode` says what exactly.
 *
 *     CowrieError
 *         Refused            the gateway refused: InvalidRequest, NotAuthenticated, NotAllowed, NotFound, Conflict, RateLimited, GatewayFault
 *         NoAnswer           no connection, a lost one, or no answer in time
 *         UnreadableAnswer   something answered that is not the gateway
 *         OutcomeUnknown     one of the two above, for a call that moves money: it may have moved
 *         NotVerified        a notification that is not to be believed
 */
class CowrieError extends \RuntimeException
{
    /**
     * @param string      $errorCode such as `INSUFFICIENT_FUNDS`; `getCode()` of PHP can only be a number
     * @param int|null    $status    of the answer; null when there was none
     * @param string|null $requestId quote it to support
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $docUrl = null,
        public readonly ?string $requestId = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
