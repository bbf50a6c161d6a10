<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 401: wrong keys. An expired token is renewed by the client and does not show. */
final class NotAuthenticated extends Refused
{
}
