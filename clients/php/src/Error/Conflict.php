<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 409. */
final class Conflict extends Refused
{
}
