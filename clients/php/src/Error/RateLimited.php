<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 429, after every retry. */
final class RateLimited extends Refused
{
}
