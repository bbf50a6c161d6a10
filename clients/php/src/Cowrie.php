<?php

declare(strict_types=1);

namespace Cowrie;

use Cowrie\Error\CowrieError;
use Cowrie\Error\NotFound;
use Cowrie\Error\OutcomeUnknown;
use Cowrie\Http\Curl;
use Cowrie\Http\Request;
use Cowrie\Http\Transport;
use Cowrie\Internal\Call;
use Cowrie\Internal\Clock;
use Cowrie\Internal\Ended;
use Cowrie\Internal\Limits;
use Cowrie\Internal\Route;
use Cowrie\Internal\Runner;
use Cowrie\Internal\Session;
use Cowrie\Internal\SystemClock;

/** The client: a method for each operation of the contract (`generated/operations.php`), all with the same care. */
final class Cowrie extends Operations
{
    public const VERSION = '0.1.0';
    private const HEADERS = ['accept' => 'application/json', 'user-agent' => 'cowrie-php/' . self::VERSION];

    private readonly string $base;
    private readonly string $basic;
    private readonly Limits $limits;
    private readonly Runner $runner;
    private readonly Session $session;

    /**
     * @param string $baseUrl    `https://pay.example.com`, or what the sandbox printed
     * @param float  $deadline   seconds for a whole call, with log-in, every try and the waits between
     * @param float  $tryTimeout seconds for one try
     * @param int    $retries    after the first try
     * @param bool   $allowHttp  keys go over the network in clear: for a gateway in your own network only. This machine needs no permission
     */
    public function __construct(
        string $baseUrl,
        string $apiKey,
        #[\SensitiveParameter] string $secretKey,
        float $deadline = 60.0,
        float $tryTimeout = 20.0,
        int $retries = 3,
        bool $allowHttp = false,
        ?Transport $transport = null,
        ?Clock $clock = null,
    ) {
        if ($apiKey === '' || $secretKey === '') {
            throw new CowrieError('KEYS_MISSING', 'The client needs apiKey and secretKey.');
        }
        $this->base = self::baseOf($baseUrl, $allowHttp);
        $this->basic = 'Basic ' . base64_encode("$apiKey:$secretKey");
        $this->limits = new Limits($deadline, $tryTimeout, $retries);
        $this->runner = new Runner($transport ?? new Curl(), $clock ?? new SystemClock());
        $logIn = new Request('POST', $this->base . self::LOG_IN, [...self::HEADERS, 'authorization' => $this->basic], null);
        $this->session = new Session($this->runner, $logIn, $this->limits);
        parent::__construct($this->invoke(...));
    }

    public function __debugInfo(): array
    {
        return ['base' => $this->base];
    }

    private static function baseOf(string $url, bool $allowHttp): string
    {
        $parts = parse_url($url);
        [$scheme, $host] = [strtolower($parts['scheme'] ?? ''), $parts['host'] ?? ''];
        if (!in_array($scheme, ['https', 'http'], true) || $host === '') {
            throw new CowrieError('BASE_URL_INVALID', "'$url' is not the address of a gateway.");
        }
        $here = in_array($host, ['localhost', '[::1]'], true) || str_starts_with($host, '127.');
        if ($scheme !== 'https' && !$here && !$allowHttp) {
            throw new CowrieError(
                'BASE_URL_INVALID',
                "$scheme://$host is not encrypted, and the secret key would be sent to it. Use https, or allowHttp for a gateway in your own "
                    . 'network.',
            );
        }
        return "$scheme://$host" . (isset($parts['port']) ? ":{$parts['port']}" : '') . rtrim($parts['path'] ?? '', '/');
    }

    private function invoke(string $operation, array $input, ?Options $options): mixed
    {
        $route = self::route($operation);
        $options ??= new Options();
        $key = self::keyOf($options);
        $call = $this->callOf($operation, $route, $input, $options, $key);
        $done = function () use (&$done, $operation, $route, $input, $key, $call): mixed {
            try {
                return Money::asText($this->runner->run($call), $route->amounts);
            } catch (Ended $ended) {
                if ($route->outcome === null || !$ended->maybeDone) {
                    throw $ended->error;
                }
                [$ask, $by, $source] = $route->outcome;
                $reference = (string) ($input[$source] ?? '');
                $asking = fn (): ?array => $this->asked($ask, [$by => $reference]);
                throw new OutcomeUnknown($operation, $key, $reference, $ended->error, $asking, $done);
            }
        };
        return $done();
    }

    private function asked(string $operation, array $by): ?array
    {
        try {
            return $this->invoke($operation, $by, null);
        } catch (NotFound) {
            return null;
        }
    }

    private function callOf(string $operation, Route $route, array $input, Options $options, string $key): Call
    {
        Money::refuseNumbers($input, $route->takes);
        [$path, $body] = self::addressed($operation, $route, $input);
        $headers = [
            ...self::HEADERS,
            ...($body === null ? [] : ['content-type' => 'application/json']),
            ...($route->method === 'POST' || $route->keyed ? ['idempotency-key' => $key] : []),
            ...($route->auth === 'basic' ? ['authorization' => $this->basic] : []),
        ];
        // A listing of events may be asked to wait for one: that is not the gateway being slow.
        $waits = (float) ($input['wait'] ?? 0);
        return new Call(
            new Request($route->method, $this->base . $path, $headers, $body),
            new Limits(
                ($options->deadline ?? $this->limits->deadline) + $waits,
                ($options->tryTimeout ?? $this->limits->tryTimeout) + $waits,
                $options->retries ?? $this->limits->retries,
            ),
            safe: $route->method === 'GET' || $route->keyed,
            file: $route->file,
            session: $route->auth === 'bearer' ? $this->session : null,
        );
    }

    /**
     * The names of the path are taken from the input; what is left is the query, or the body.
     *
     * @return array{string, ?string}
     */
    private static function addressed(string $operation, Route $route, array $input): array
    {
        $segment = static function (array $match) use ($operation, &$input): string {
            $value = $input[$match[1]] ?? null;
            unset($input[$match[1]]);
            // `.` and `..` would name another route once the address is put together.
            if ((!is_string($value) && !is_int($value)) || in_array((string) $value, ['', '.', '..'], true)) {
                $given = json_encode($value);
                throw new CowrieError('INPUT_MISSING', "$operation needs $match[1]; it was given $given.");
            }
            return rawurlencode((string) $value);
        };
        $path = preg_replace_callback('/\{(\w+)\}/', $segment, $route->path);
        if ($route->body) {
            $body = $route->items ? $input['items'] ?? [] : ($input === [] ? new \stdClass() : $input);
            $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;
            return [$path, json_encode($body, $flags)];
        }
        $fields = array_filter($input, static fn (mixed $value): bool => $value !== null);
        $texts = array_map(static fn (mixed $value): string => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value, $fields);
        return [$path . ($texts === [] ? '' : '?' . http_build_query($texts)), null];
    }

    private static function keyOf(Options $options): string
    {
        $key = $options->idempotencyKey ?? self::uuid();
        if (preg_match('/^[\x20-\x7e]{1,255}$/D', $key) !== 1) {
            throw new CowrieError('INPUT_INVALID', 'An idempotency key is at most 255 printable characters of ASCII.');
        }
        return $key;
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
