<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 400, 422: change the request. */
final class InvalidRequest extends Refused
{
}
