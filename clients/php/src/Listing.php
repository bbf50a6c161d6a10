<?php

declare(strict_types=1);

namespace Cowrie;

/**
 * `foreach` goes through the items of all pages, each asked for when it is needed; `page()` gives one page.
 *
 * @implements \IteratorAggregate<int, mixed>
 */
final readonly class Listing implements \IteratorAggregate
{
    /**
     * @internal
     * @param string                    $by the field of the query that leads to the next page
     * @param array<string, mixed>      $input
     * @param \Closure(array): array    $ask
     */
    public function __construct(private string $by, private array $input, private \Closure $ask)
    {
    }

    /** @return array<string, mixed> */
    public function page(): array
    {
        return ($this->ask)($this->input);
    }

    public function getIterator(): \Generator
    {
        for ($asked = $this->input; ; $asked = [...$asked, $this->by => $next]) {
            $page = ($this->ask)($asked);
            foreach ($page['content'] ?? $page['events'] ?? [] as $item) {
                yield $item; // not `yield from`, whose keys would begin again with each page
            }
            $next = $this->next($asked, $page);
            if ($next === null) {
                return;
            }
        }
    }

    private function next(array $asked, array $page): mixed
    {
        if ($this->by === 'after') {
            $events = $page['events'] ?? [];
            return $events === [] ? null : $events[count($events) - 1]['number'];
        }
        if ($this->by === 'before') {
            return $page['next'] ?? null;
        }
        $ended = ($page['last'] ?? false) === true || (array_key_exists('nextPage', $page) && $page['nextPage'] === null);
        return $ended || ($page['content'] ?? []) === [] ? null : (int) ($asked[$this->by] ?? 0) + 1;
    }
}
