<?php

declare(strict_types=1);

namespace Cowrie\Http;

/** Each request over a connection of its own, so that none is lost with an old one. */
final class Curl implements Transport
{
    public function send(Request $request, float $seconds): Response
    {
        $headers = [];
        $curl = curl_init($request->url);
        // Nought would mean no limit at all.
        $limit = max(1, (int) ceil($seconds * 1000));
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => self::lines($request->headers),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => $limit,
            CURLOPT_CONNECTTIMEOUT_MS => $limit,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($request->body !== null || in_array($request->method, ['POST', 'PUT', 'PATCH'], true)) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $request->body ?? '');
        }
        $body = curl_exec($curl);
        if (!is_string($body)) {
            throw self::failure($curl, str_starts_with($request->url, 'https:'));
        }
        return new Response(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /** What is not known to be unsent may have arrived: the moment is nought until the connection, encrypted where it has to be, is there. */
    private static function failure(\CurlHandle $curl, bool $encrypted): Unanswered
    {
        $sent = curl_getinfo($curl, $encrypted ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T) > 0;
        $late = curl_errno($curl) === CURLE_OPERATION_TIMEDOUT;
        $how = $sent ? ($late ? Unanswered::TOO_LATE : Unanswered::LOST) : Unanswered::NOT_SENT;
        return new Unanswered($how, curl_error($curl));
    }

    /**
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function lines(#[\SensitiveParameter] array $headers): array
    {
        // curl would add these two unasked.
        $lines = ['expect:', ...(isset($headers['content-type']) ? [] : ['content-type:'])];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        return $lines;
    }
}
