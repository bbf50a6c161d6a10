<?php

declare(strict_types=1);

namespace Cowrie;

use Cowrie\Error\NotVerified;

/**
 * Notifications: is it the gateway's, is it fresh, and what does it say. The signature is over the exact bytes that came, so nothing may
 * have parsed them before. Every key is compared with every signature, in constant time.
 */
final class Webhooks
{
    private const RAW = "Take it before anything parses it: file_get_contents('php://input'), or \$request->getContent() in Laravel and Symfony.";

    /**
     * The event, if the gateway sent it; throws `NotVerified` with the reason. Answer 401 then, and 200 otherwise.
     *
     * @param mixed               $rawBody the text that came; anything else is refused with the reason
     * @param mixed               $headers `getallheaders()`, `$_SERVER`, or the headers of a PSR-7 request
     * @param string|list<string> $keys    your secret key, or several while you rotate it
     * @param 'webhook'|'service' $scheme  `service` checks `service-signature`, which has no time in it: an old notification sent again
     *                                     by somebody else passes
     */
    public static function verify(
        mixed $rawBody,
        mixed $headers,
        #[\SensitiveParameter] string|array $keys,
        int $toleranceSeconds = 300,
        ?int $nowSeconds = null,
        string $scheme = 'webhook',
    ): Event {
        [$body, $look, $known] = [self::raw($rawBody), self::headers($headers), self::keys($keys)];
        if ($scheme === 'service') {
            self::checkService($body, $look, $known);
        } else {
            self::checkWebhook($body, $look, $known, $toleranceSeconds, $nowSeconds ?? time());
        }
        try {
            $value = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw new NotVerified('BODY_UNREADABLE', 'The signature is right, but the body is not JSON.');
        }
        return self::event(
            $value,
            $look[Operations::HEADER_ID] ?? '',
            self::number($look[Operations::HEADER_NUMBER] ?? ''),
            self::number($look[Operations::HEADER_OBJECT_VERSION] ?? ''),
            self::number($look[Operations::HEADER_ATTEMPT] ?? ''),
        );
    }

    /**
     * An item of `events->list` or `events->get` as the event it was: for catching up with what was missed.
     *
     * @param array{eventId: string, number: int, objectVersion: int, body: array<string, mixed>} $item
     */
    public static function fromLog(array $item): Event
    {
        return self::event($item['body'], $item['eventId'], $item['number'], $item['objectVersion'], null);
    }

    private static function raw(mixed $body): string
    {
        if ($body === 'Array') {
            throw new NotVerified('BODY_PARSED', 'The body is the text "Array": a parsed body made to text. ' . self::RAW);
        }
        if ($body !== null && !is_string($body)) {
            $type = get_debug_type($body);
            throw new NotVerified(
                'BODY_PARSED',
                "The body was parsed already (of type $type). The signature is over the exact bytes that came, which cannot be made again "
                    . 'from what was parsed. ' . self::RAW,
            );
        }
        return $body !== null && $body !== ''
            ? $body
            : throw new NotVerified('BODY_MISSING', 'The body is empty: something may have read the stream already. ' . self::RAW);
    }

    /** @return array<string, string> by name in lower case; `HTTP_WEBHOOK_ID` of `$_SERVER` is `webhook-id` */
    private static function headers(mixed $given): array
    {
        if (!is_iterable($given)) {
            throw new NotVerified('HEADERS_MISSING', 'Pass the headers of the request, as an array.');
        }
        $found = [];
        foreach ($given as $name => $value) {
            $texts = array_filter(is_array($value) ? $value : [$value], is_string(...));
            if (is_string($name) && $texts !== []) {
                $found[preg_replace('/^http-/', '', strtr(strtolower($name), '_', '-'))] = implode(' ', $texts);
            }
        }
        return $found;
    }

    /** @return non-empty-list<string> */
    private static function keys(#[\SensitiveParameter] string|array $keys): array
    {
        $found = array_values(array_filter((array) $keys, static fn (mixed $key): bool => is_string($key) && $key !== ''));
        return $found !== []
            ? $found
            : throw new NotVerified('KEY_MISSING', 'Pass your secret key, or while you rotate it both: [$current, $next].');
    }

    private static function must(array $headers, string $name): string
    {
        $value = $headers[$name] ?? '';
        return $value !== ''
            ? $value
            : throw new NotVerified('HEADER_MISSING', "The header $name is missing: pass all headers of the request, as they came.");
    }

    private static function checkWebhook(
        string $body,
        array $headers,
        #[\SensitiveParameter] array $keys,
        int $tolerance,
        int $now,
    ): void {
        $id = self::must($headers, Operations::HEADER_ID);
        $timestamp = self::must($headers, Operations::HEADER_TIMESTAMP);
        $given = self::must($headers, Operations::HEADER_SIGNATURE);
        preg_match_all('#(?:^|(?<=\s))v1,([A-Za-z0-9+/]{43}=)(?=\s|$)#', $given, $matches);
        if ($matches[1] === []) {
            $name = Operations::HEADER_SIGNATURE;
            throw new NotVerified('SIGNATURE_FORM', "$name has no signature of the form \"v1,\" and the base64 of 32 bytes.");
        }
        self::checkSigned('sha256', $keys, array_map(base64_decode(...), $matches[1]), "$id.$timestamp.$body");
        // Signed, so the time is the gateway's own.
        if (!ctype_digit($timestamp)) {
            throw new NotVerified('TIMESTAMP_FORM', Operations::HEADER_TIMESTAMP . ' is not a number of seconds.');
        }
        $age = $now - (int) $timestamp;
        if ($age > $tolerance) {
            $why = "more than $tolerance: sent again by somebody else, or your clock is fast";
            throw new NotVerified('TOO_OLD', "It was signed $age seconds ago, $why.");
        }
        if ($age < -$tolerance) {
            throw new NotVerified('TOO_NEW', 'It was signed ' . -$age . ' seconds in the future: your clock is slow.');
        }
    }

    private static function checkService(string $body, array $headers, #[\SensitiveParameter] array $keys): void
    {
        $given = [self::must($headers, Operations::HEADER_SERVICE), $headers[Operations::HEADER_SERVICE_NEXT] ?? ''];
        $hex = preg_grep('/^[0-9a-f]{128}$/D', $given);
        if ($hex === []) {
            throw new NotVerified('SIGNATURE_FORM', Operations::HEADER_SERVICE . ' is not lower-case hex of 64 bytes.');
        }
        self::checkSigned('sha512', $keys, array_map(hex2bin(...), $hex), $body);
    }

    /** Looks at all of them, whatever it finds. */
    private static function checkSigned(
        string $algorithm,
        #[\SensitiveParameter] array $keys,
        array $signatures,
        string $content,
    ): void {
        $found = false;
        foreach ($keys as $key) {
            $digest = hash_hmac($algorithm, $content, $key, true);
            foreach ($signatures as $signature) {
                $found = hash_equals($digest, $signature) || $found;
            }
        }
        if ($found) {
            return;
        }
        $spaced = array_filter($keys, static fn (string $key): bool => $key !== trim($key)) !== [];
        $hint = $spaced
            ? 'A key has a space or a newline around it.'
            : 'Either the body is not the exact bytes that came (written again as JSON, another encoding, a newline added), or the key is '
                . 'of another merchant or environment, or somebody else sent this.';
        $which = count($keys) === 1 ? 'this key' : 'one of these ' . count($keys) . ' keys';
        throw new NotVerified('SIGNATURE_WRONG', "No signature was made over this body with $which. $hint");
    }

    private static function event(mixed $body, string $id, ?int $number, ?int $objectVersion, ?int $attempt): Event
    {
        $type = is_array($body) ? $body['eventType'] ?? null : null;
        if (!is_string($type)) {
            throw new NotVerified('BODY_UNREADABLE', 'The body is not an event: it has no eventType.');
        }
        [$class, $amounts] = Operations::EVENTS[$type] ?? [UnknownEvent::class, ''];
        $said = Money::asText($body, $amounts);
        return new $class($id, $number, $objectVersion, $attempt, $type, $said['eventData'] ?? null, $said['metaData'] ?? null);
    }

    private static function number(string $text): ?int
    {
        return preg_match('/^\d{1,15}$/D', $text) === 1 ? (int) $text : null;
    }
}
