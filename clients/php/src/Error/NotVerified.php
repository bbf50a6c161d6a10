<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** A notification that is not to be believed; `errorCode` says why, the message how to fix it. */
final class NotVerified extends CowrieError
{
}
