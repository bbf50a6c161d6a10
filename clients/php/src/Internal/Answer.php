<?php

declare(strict_types=1);

namespace Cowrie\Internal;

use Cowrie\Error\NoAnswer;
use Cowrie\Error\Refused;
use Cowrie\Error\UnreadableAnswer;
use Cowrie\Http\Request;
use Cowrie\Http\Response;
use Cowrie\Http\Transport;
use Cowrie\Http\Unanswered;

/** One try: it ends as an answer or as an error that says whether to try again. */
final readonly class Answer
{
    /** Refused before the gateway looked at what was asked. */
    private const AT_THE_DOOR = [401, 403, 408, 429];
    /** Of these the gateway itself says that the outcome is not known. */
    private const MAYBE_DONE = ['INTERNAL', 'UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT'];

    public function __construct(private Request $request, private bool $file)
    {
    }

    /** @throws Failed */
    public function from(Transport $transport, float $seconds): mixed
    {
        try {
            $response = $transport->send($this->request, $seconds);
        } catch (Unanswered $unanswered) {
            throw $this->unanswered($unanswered, $seconds);
        }
        $ok = $response->status >= 200 && $response->status < 300;
        if ($ok && $this->file) {
            return $response->body;
        }
        $envelope = json_decode($response->body, true);
        $ours = is_array($envelope) && array_key_exists('requestSuccessful', $envelope);
        if (!$ours || ($envelope['requestSuccessful'] && !$ok)) {
            throw $this->unreadable($response);
        }
        return $ok && $envelope['requestSuccessful'] ? $envelope['responseBody'] ?? null : throw self::refusal($response, $envelope);
    }

    private function unanswered(Unanswered $unanswered, float $seconds): Failed
    {
        $origin = $this->request->origin();
        $reason = $unanswered->getMessage();
        if ($unanswered->how === Unanswered::NOT_SENT) {
            $error = new NoAnswer('NO_CONNECTION', "$origin cannot be reached ($reason); nothing was sent.", previous: $unanswered);
            return new Failed($error, 'always', maybeDone: false);
        }
        $error = $unanswered->how === Unanswered::TOO_LATE
            ? new NoAnswer('TIMED_OUT', sprintf('%s did not answer within %.3g s.', $origin, $seconds), previous: $unanswered)
            : new NoAnswer('CONNECTION_LOST', "$origin did not answer: the connection was lost ($reason).", previous: $unanswered);
        return new Failed($error, 'if safe', maybeDone: true);
    }

    private function unreadable(Response $response): Failed
    {
        $kind = $response->headers['content-type'] ?? 'no content type';
        $error = new UnreadableAnswer(
            $response->status,
            "{$this->request->origin()} answered $response->status ($kind), which is not an answer of the gateway. Is the base address "
                . 'right, or is there a proxy in between?',
        );
        $maybeDone = $response->status < 300 || $response->status >= 500;
        return new Failed($error, $maybeDone ? 'if safe' : 'never', $maybeDone);
    }

    private static function refusal(Response $response, array $envelope): Failed
    {
        $status = $response->status;
        $retryAfter = $response->headers['retry-after'] ?? '';
        $error = Refused::of(
            $status,
            $envelope,
            $response->headers['x-request-id'] ?? null,
            ctype_digit($retryAfter) ? (float) $retryAfter : null,
        );
        $maybeDone = in_array($error->errorCode, self::MAYBE_DONE, true);
        $again = match (true) {
            $status === 429, $status === 408 => 'always',
            $maybeDone, $status >= 500 => 'if safe',
            default => 'never',
        };
        return new Failed($error, $again, $maybeDone, !$maybeDone && !in_array($status, self::AT_THE_DOOR, true) && $status < 500);
    }
}
