<?php

declare(strict_types=1);

namespace Cowrie\Internal;

use Cowrie\Http\Request;

final readonly class Call
{
    /**
     * @param bool         $safe    the gateway does it once however often it is asked
     * @param Session|null $session null: the request carries what it needs
     */
    public function __construct(
        public Request $request,
        public Limits $limits,
        public bool $safe,
        public bool $file,
        public ?Session $session,
    ) {
    }
}
