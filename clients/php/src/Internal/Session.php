<?php

declare(strict_types=1);

namespace Cowrie\Internal;

use Cowrie\Error\CowrieError;
use Cowrie\Error\UnreadableAnswer;
use Cowrie\Http\Request;

/**
 * Logged in once, for all calls of this client. The token is renewed some minutes before its hour ends; while the old one is still good, a
 * log-in that fails stops nobody.
 */
final class Session
{
    /** At least so long before its end; of a short life, the last tenth. */
    private const EARLY = 300.0;
    private const AGAIN = 15.0;

    private ?string $token = null;
    private float $renewAt = 0.0;
    private float $endsAt = 0.0;

    public function __construct(
        private readonly Runner $runner,
        private readonly Request $logIn,
        private readonly Limits $limits,
    ) {
    }

    public function token(float $seconds): string
    {
        $now = $this->runner->clock->now();
        if ($this->token === null || $now >= $this->endsAt) {
            $this->renew($seconds);
        } elseif ($now >= $this->renewAt) {
            try {
                // Half of the time at most: the call itself needs some, too.
                $this->renew($seconds / 2);
            } catch (CowrieError) {
                $this->renewAt = $this->runner->clock->now() + self::AGAIN;
            }
        }
        return (string) $this->token;
    }

    /** The gateway refused it: the next call logs in. */
    public function forget(#[\SensitiveParameter] string $token): void
    {
        if ($this->token === $token) {
            $this->token = null;
        }
    }

    private function renew(float $seconds): void
    {
        $askedAt = $this->runner->clock->now();
        $limits = new Limits($seconds, min($seconds, $this->limits->tryTimeout), $this->limits->retries);
        try {
            $answer = $this->runner->run(new Call($this->logIn, $limits, safe: true, file: false, session: null));
        } catch (Ended $ended) {
            throw $ended->error;
        }
        [$token, $life] = [$answer['accessToken'] ?? null, $answer['expiresIn'] ?? null];
        if (!is_string($token) || !is_numeric($life)) {
            throw new UnreadableAnswer(200, 'The answer to the log-in has no token.');
        }
        $this->token = $token;
        $this->endsAt = $askedAt + $life;
        $this->renewAt = $this->endsAt - min(self::EARLY, $life / 10);
    }

    public function __debugInfo(): array
    {
        return [];
    }
}
