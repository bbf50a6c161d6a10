<?php

declare(strict_types=1);

namespace Cowrie;

/**
 * Of a kind that this version does not know: `eventType` has its name. Answer 200 and leave it, or read `eventData` yourself.
 *
 * @extends Event<mixed>
 */
final readonly class UnknownEvent extends Event
{
}
