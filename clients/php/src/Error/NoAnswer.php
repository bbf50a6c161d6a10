<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** `NO_CONNECTION`: the request was never sent. `CONNECTION_LOST`, `TIMED_OUT`, `DEADLINE`: it may have arrived. */
final class NoAnswer extends CowrieError
{
}
