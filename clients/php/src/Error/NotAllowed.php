<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 403: this key, this network address or this merchant may not. */
final class NotAllowed extends Refused
{
}
