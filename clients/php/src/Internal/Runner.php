<?php

declare(strict_types=1);

namespace Cowrie\Internal;

use Cowrie\Error\CowrieError;
use Cowrie\Error\NoAnswer;
use Cowrie\Error\Refused;
use Cowrie\Http\Transport;

/**
 * One call: as many tries as are safe, under one deadline. What is done is done once: a repeat carries the same Idempotency-Key, and what
 * cannot carry one is repeated only if it was never looked at.
 */
final readonly class Runner
{
    private const FIRST_WAIT = 0.25;
    private const LONGEST_WAIT = 8.0;

    public function __construct(private Transport $transport, public Clock $clock)
    {
    }

    /** @throws Ended */
    public function run(Call $call): mixed
    {
        $endsAt = $this->clock->now() + $call->limits->deadline;
        [$maybeDone, $renewed] = [false, false];
        for ($tries = 1; ; $tries++) {
            $token = null;
            try {
                return $this->attempt($call, min($call->limits->tryTimeout, max(0.0, $endsAt - $this->clock->now())), $token);
            } catch (Failed $failed) {
                $error = $failed->error;
            }
            if ($failed->settled) {
                throw new Ended($error, false);
            }
            $maybeDone = $maybeDone || $failed->maybeDone;
            $stale = $error->status === 401 && str_starts_with($error->errorCode, 'TOKEN_');
            if ($token !== null && $stale && !$renewed) {
                $renewed = true;
                $call->session?->forget($token);
                continue;
            }
            $again = $failed->again === 'always' || ($failed->again === 'if safe' && $call->safe);
            $wait = self::wait($error, $tries);
            if ($this->clock->now() + ($again ? $wait : 0) >= $endsAt) {
                throw new Ended(self::outOfTime($call->limits, $tries, $error), $maybeDone);
            }
            if (!$again || $tries > $call->limits->retries) {
                throw new Ended($error, $maybeDone);
            }
            $this->clock->sleep($wait);
        }
    }

    /** A token, and the request with it. A log-in that fails is the failure of the try. */
    private function attempt(Call $call, float $seconds, ?string &$token): mixed
    {
        $began = $this->clock->now();
        $request = $call->request;
        if ($call->session !== null) {
            try {
                $token = $call->session->token($seconds);
            } catch (CowrieError $error) {
                throw new Failed($error, 'never', maybeDone: false);
            }
            $request = $request->with('authorization', "Bearer $token");
        }
        $left = max(0.0, $seconds - ($this->clock->now() - $began));
        return (new Answer($request, $call->file))->from($this->transport, $left);
    }

    /** Doubles each time; half of it is chance, so that many clients do not return at the same instant. */
    private static function wait(CowrieError $error, int $tries): float
    {
        $chance = 0.5 + mt_rand() / mt_getrandmax() / 2;
        $backoff = min(self::LONGEST_WAIT, self::FIRST_WAIT * 2 ** ($tries - 1)) * $chance;
        return max($error instanceof Refused ? $error->retryAfter ?? 0.0 : 0.0, $backoff);
    }

    /** What the gateway refused says more than that there was no time for another try. */
    private static function outOfTime(Limits $limits, int $tries, CowrieError $last): CowrieError
    {
        if ($last instanceof Refused) {
            return $last;
        }
        $times = $tries === 1 ? 'one try' : "$tries tries";
        $message = "No answer within the deadline of $limits->deadline s, $times. {$last->getMessage()}";
        return new NoAnswer('DEADLINE', $message, previous: $last);
    }
}
