<?php

declare(strict_types=1);

namespace Cowrie\Error;

/** 5xx, after every retry. */
final class GatewayFault extends Refused
{
}
