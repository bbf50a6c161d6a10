<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** The gateway answered, and refused. */
abstract class Refused extends CowrieError
{
    /** The reason as a sentence. */
    public readonly string $sentence;
    public readonly string $responseCode;
    public readonly ?string $hint;
    /** The invalid field, where there is one. */
    public readonly ?string $field;
    /** @var list<array{field: string, code: string, message: string}> every invalid field of the body */
    public readonly array $faults;
    /** Seconds, when the gateway asks to be left alone for a while. */
    public readonly ?float $retryAfter;

    /** @param array<string, mixed> $envelope */
    final public function __construct(int $status, array $envelope, ?string $requestId, ?float $retryAfter)
    {
        $problem = $envelope['problem'] ?? [];
        $this->sentence = $envelope['responseMessage'] ?? 'Refused';
        $this->responseCode = $envelope['responseCode'] ?? '';
        $this->hint = $problem['hint'] ?? null;
        $this->field = $problem['field'] ?? null;
        $this->faults = $envelope['errors'] ?? [];
        $this->retryAfter = $retryAfter;
        $code = $problem['code'] ?? 'UNKNOWN';
        $request = $problem['requestId'] ?? $requestId;
        $details = $code . ($request === null ? '' : ", request $request");
        $hint = $this->hint === null ? '' : " $this->hint";
        $message = preg_replace('/\.$/D', '', $this->sentence) . " ($details).$hint";
        parent::__construct($code, $message, $status, $problem['docUrl'] ?? null, $request);
    }

    /** @param array<string, mixed> $envelope */
    public static function of(int $status, array $envelope, ?string $requestId, ?float $retryAfter): self
    {
        $class = match (true) {
            $status === 401 => NotAuthenticated::class,
            $status === 403 => NotAllowed::class,
            $status === 404 => NotFound::class,
            $status === 409 => Conflict::class,
            $status === 429 => RateLimited::class,
            $status >= 500 => GatewayFault::class,
            default => InvalidRequest::class,
        };
        return new $class($status, $envelope, $requestId, $retryAfter);
    }
}
