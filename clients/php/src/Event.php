<?php

declare(strict_types=1);

namespace Cowrie;

/**
 * What every notification has; its kinds, `Cowrie\Events\…`, are generated.
 *
 * @template-covariant Data
 */
abstract readonly class Event
{
    /**
     * @param string   $id            the same on every attempt: keep it, and process an event once
     * @param int|null $number        where it stands in your log: 1, 2, 3 … without gaps. Null where it is not said; this and the two
     *                                below are not signed
     * @param int|null $objectVersion increases with every change of the object: ignore an event with a lower one than you have seen
     * @param Data     $eventData
     */
    final public function __construct(
        public string $id,
        public ?int $number,
        public ?int $objectVersion,
        public ?int $attempt,
        public string $eventType,
        public mixed $eventData,
        public mixed $metaData,
    ) {
    }
}
