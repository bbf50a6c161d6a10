<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 404. */
final class NotFound extends Refused
{
}
