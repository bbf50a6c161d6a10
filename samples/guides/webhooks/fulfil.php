<?php

declare(strict_types=1);

// #region fulfil
use Cowrie\Event;
use Cowrie\Events\ReversedTransaction;
use Cowrie\Events\SuccessfulTransaction;

/** What an event says its payment stands at; null: nothing. */
function standing(Event $event): ?array
{
    $data = $event->eventData;
    if ($event instanceof ReversedTransaction) { // the bank took money back, and it was debited to you: stop the order
        return ['credited' => $data['amountLeft'], 'handOver' => false];
    }
    if (!$event instanceof SuccessfulTransaction) {
        return null;
    }
    if ($data['product']['type'] === 'OFFLINE_PAYMENT_AGENT') { // a paycode was paid out in cash: money that left your wallet
        return null;
    }
    // OVERPAID is paid too: refund the difference. PARTIALLY_PAID is not.
    return ['credited' => $data['amountPaid'], 'handOver' => in_array($data['paymentStatus'], ['PAID', 'OVERPAID'], true)];
}

/** In a shop these are two tables and one transaction, with a unique key on `seen`. Here it is a file that one writes at a time. */
function take(Event $event): void
{
    $file = fopen(getenv('SHOP') ?: 'shop.json', 'c+');
    flock($file, LOCK_EX);
    $shop = json_decode(stream_get_contents($file), true) ?? ['seen' => [], 'orders' => []];
    if (isset($shop['seen'][$event->id])) {
        return; // the same event can come twice
    }
    $shop['seen'][$event->id] = true;
    $now = standing($event);
    $reference = $event->eventData['paymentReference'] ?? '';
    $version = $event->objectVersion ?? 0;
    $isNewer = $now !== null && $version >= ($shop['orders'][$reference]['version'] ?? 0);
    if ($isNewer) {
        $shop['orders'][$reference] = [...$now, 'version' => $version];
    }
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($shop));
    fclose($file);
    if ($isNewer) {
        error_log("$reference is " . ($now['handOver'] ? 'paid' : 'not paid') . ", {$now['credited']}");
    }
}
// #endregion
