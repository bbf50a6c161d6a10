<?php

declare(strict_types=1);

namespace Cowrie\Http;

interface Transport
{
    /**
     * Sends a request and gives the answer within so many seconds. Must not follow redirects: they would carry the token to wherever
     * they lead.
     *
     * @throws Unanswered
     */
    public function send(Request $request, float $seconds): Response;
}
