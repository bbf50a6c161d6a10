<?php

// For the tests: does what the lines of its input say, and answers each with a line. Its clock moves when the client waits, so that no
// test does.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Cowrie\Cowrie;
use Cowrie\Error\CowrieError;
use Cowrie\Error\OutcomeUnknown;
use Cowrie\Event;
use Cowrie\Internal\Clock;
use Cowrie\Money;
use Cowrie\Options;
use Cowrie\UnknownEvent;
use Cowrie\Webhooks;

final class MovedClock implements Clock
{
    public float $moved = 0.0;
    /** @var list<float> */
    public array $waits = [];

    public function now(): float
    {
        return hrtime(true) / 1e9 + $this->moved;
    }

    public function sleep(float $seconds): void
    {
        $this->waits[] = $seconds;
        $this->moved += $seconds;
    }
}

final class Driver
{
    private ?Cowrie $client = null;
    private ?OutcomeUnknown $unknown = null;
    private MovedClock $clock;

    public function answer(array $line): array
    {
        try {
            return ['ok' => $this->act($line)];
        } catch (CowrieError $error) {
            if ($error instanceof OutcomeUnknown) {
                $this->unknown = $error;
            }
            return ['error' => $this->shown($error)];
        }
    }

    private function act(array $line): mixed
    {
        return match ($line['do']) {
            'open' => $this->open($line['options']),
            'methods' => $this->methods(),
            'kinds' => array_values(array_filter($line['names'], fn (string $name): bool => class_exists("Cowrie\\Events\\$name"))),
            'call' => $this->call($line),
            'items' => $this->items($line),
            'page' => $this->call($line)->page(),
            'ask' => $this->unknown?->ask(),
            'repeat' => $this->unknown?->repeat(),
            'pass' => $this->clock->moved += $line['seconds'],
            'waits' => $this->clock->waits,
            'verify' => $this->event(Webhooks::verify($line['body'], $line['headers'], $line['keys'], ...$line['options'] ?? [])),
            'log' => $this->event(Webhooks::fromLog($line['item'])),
            'kobo' => Money::kobo($line['value']),
            'naira' => Money::naira($line['value']),
            'show' => print_r($this->client, true),
        };
    }

    private function open(array $options): void
    {
        $this->clock = new MovedClock();
        $this->client = new Cowrie(...$options, clock: $this->clock);
    }

    private function methods(): array
    {
        $found = [];
        foreach ((new ReflectionClass(Cowrie::class))->getProperties(ReflectionProperty::IS_PUBLIC) as $property) {
            $methods = get_class_methods((string) $property->getType());
            foreach (array_diff($methods, ['__construct']) as $method) {
                $found[] = "{$property->getName()}.$method";
            }
        }
        return $found;
    }

    private function call(array $line): mixed
    {
        [$group, $name] = explode('.', $line['operation']);
        // A method that gives nothing gives null.
        return $this->client->$group->$name($line['input'] ?? [], new Options(...$line['options'] ?? []));
    }

    private function items(array $line): array
    {
        $found = [];
        foreach ($this->call($line) as $item) {
            $found[] = $item;
            if (count($found) === ($line['most'] ?? 99)) {
                break;
            }
        }
        return $found;
    }

    private function event(Event $event): array
    {
        $kind = $event instanceof UnknownEvent ? 'UNKNOWN' : (new ReflectionClass($event))->getShortName();
        return ['kind' => $kind] + get_object_vars($event);
    }

    private function shown(CowrieError $error): array
    {
        $said = ['class' => (new ReflectionClass($error))->getShortName(), 'message' => $error->getMessage()];
        $names = ['status', 'sentence', 'hint', 'field', 'faults', 'docUrl', 'requestId', 'retryAfter', 'responseCode'];
        foreach ([...$names, 'operation', 'idempotencyKey', 'reference'] as $name) {
            $said[$name] = $error->$name ?? null;
        }
        return [...$said, 'code' => $error->errorCode, 'faults' => $said['faults'] ?? []];
    }
}

$driver = new Driver();
while (($text = fgets(STDIN)) !== false) {
    echo json_encode($driver->answer(json_decode($text, true, flags: JSON_THROW_ON_ERROR)), JSON_THROW_ON_ERROR), "\n";
}
