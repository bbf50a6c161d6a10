<?php

declare(strict_types=1);

namespace Cowrie;

use Cowrie\Error\CowrieError;

/** Amounts are decimal text in naira, in and out. Whoever calculates takes kobo, whole hundredths, as an int: a float loses kobo. */
final class Money
{
    /** `Money::kobo('1500.50')` is `150050`. Throws for anything that is not an amount: `1,500`, `20.001`, a number. */
    public static function kobo(mixed $amount): int
    {
        if (!is_string($amount) || preg_match('/^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/D', $amount, $match) !== 1) {
            $hint = is_string($amount)
                ? 'Use digits, and at most two decimals after a point.'
                : 'It is of type ' . get_debug_type($amount) . '; use text.';
            throw new CowrieError('AMOUNT_NOT_DECIMAL', self::shown($amount) . " is not an amount such as '1500.00'. $hint");
        }
        $value = (int) $match[2] * 100 + (int) str_pad($match[3] ?? '', 2, '0');
        return $match[1] === '-' ? -$value : $value;
    }

    /** `Money::naira(150050)` is `'1500.50'`: kobo as the text that the gateway takes. */
    public static function naira(int $kobo): string
    {
        $digits = str_pad((string) abs($kobo), 3, '0', STR_PAD_LEFT);
        return ($kobo < 0 ? '-' : '') . substr($digits, 0, -2) . '.' . substr($digits, -2);
    }

    /**
     * Amounts of an answer that came as numbers become text. Exact: amounts stay below ten trillion naira, where a double still tells
     * kobo apart.
     *
     * @internal
     * @param string $paths `content.amount content.fee`
     */
    public static function asText(mixed $value, string $paths): mixed
    {
        $text = static fn (mixed $amount): mixed => is_int($amount) || is_float($amount)
            ? number_format($amount, 2, '.', '')
            : $amount;
        return self::changed($value, $paths, $text);
    }

    /**
     * A number of kobo would be read as naira, a hundred times as much; a float loses kobo.
     *
     * @internal
     */
    public static function refuseNumbers(mixed $value, string $paths): void
    {
        self::changed($value, $paths, static function (mixed $amount, string $name): mixed {
            if ($amount === null || is_string($amount)) {
                return $amount;
            }
            $given = self::shown($amount) . ', of type ' . get_debug_type($amount);
            throw new CowrieError(
                'AMOUNT_NOT_DECIMAL',
                "$name is $given. Amounts are decimal text in naira, such as '1500.00'; kobo become that with Money::naira().",
            );
        });
    }

    private static function changed(mixed $value, string $paths, \Closure $change): mixed
    {
        foreach (preg_split('/ /', $paths, -1, PREG_SPLIT_NO_EMPTY) as $path) {
            $value = self::changedAt($value, explode('.', $path), $change);
        }
        return $value;
    }

    /** @param non-empty-list<string> $path */
    private static function changedAt(mixed $value, array $path, \Closure $change): mixed
    {
        if (!is_array($value)) {
            return $value;
        }
        if (array_is_list($value)) {
            return array_map(static fn (mixed $item): mixed => self::changedAt($item, $path, $change), $value);
        }
        [$name, $rest] = [$path[0], array_slice($path, 1)];
        if (array_key_exists($name, $value)) {
            $value[$name] = $rest === [] ? $change($value[$name], $name) : self::changedAt($value[$name], $rest, $change);
        }
        return $value;
    }

    private static function shown(mixed $value): string
    {
        return is_scalar($value) ? var_export($value, true) : get_debug_type($value);
    }
}
