<?php
// A shop: checkout, webhook, refund, payout, and a stored card that is charged again. Keep what is in `$store` in your database, and
// everything but the webhook behind your own log-in. STORE=/tmp/shop.json php -S 127.0.0.1:3000 samples/shop.php
declare(strict_types=1);
require __DIR__ . '/../clients/php/autoload.php';
use Cowrie\{Cowrie, Money, Webhooks};
use Cowrie\Error\{NotVerified, OutcomeUnknown};
use Cowrie\Events\{ReversedTransaction, SuccessfulTransaction};

$store = json_decode((string) @file_get_contents(getenv('STORE')), true) ?? ['orders' => [], 'seen' => []];
[$apiKey, $secretKey] = [getenv('COWRIE_API_KEY'), getenv('COWRIE_SECRET_KEY')];
$common = ['currencyCode' => 'NGN', 'contractCode' => getenv('CONTRACT'), 'paymentDescription' => 'Two yards of adire'];
$cowrie = new Cowrie(getenv('COWRIE_URL'), $apiKey, $secretKey);

/** The address where the customer pays. Coming back from there proves nothing: the webhook does. */
$checkout = function (string $order, string $amount, string $name, string $email) use ($cowrie, $common): string {
    $who = ['customerName' => $name, 'customerEmail' => $email];
    return $cowrie->transactions->init([...$common, ...$who, 'amount' => $amount, 'paymentReference' => $order])['checkoutUrl'];
};
$webhook = function (string $raw) use (&$store, $secretKey): void {
    $event = Webhooks::verify($raw, getallheaders(), $secretKey);
    [$undone, $data, $version] = [$event instanceof ReversedTransaction, $event->eventData, $event->objectVersion ?? 0];
    $counts = ($undone || $event instanceof SuccessfulTransaction) && !in_array($event->id, $store['seen'], true)
        && $data['product']['type'] !== 'OFFLINE_PAYMENT_AGENT' // a paycode, paid out in cash: money that left
        && $version >= ($store['orders'][$data['paymentReference']]['version'] ?? 0); // an older event can come late
    if ($counts) {
        $sold = !$undone && in_array($data['paymentStatus'], ['PAID', 'OVERPAID'], true); // too much is paid too: refund the rest
        $order = ['transaction' => $data['transactionReference'], 'email' => $data['customer']['email'], 'sold' => $sold];
        $store['orders'][$data['paymentReference']] = [...$order, 'paid' => $data[$undone ? 'amountLeft' : 'amountPaid'], 'version' => $version];
    }
    $store['seen'][] = $event->id;
    file_put_contents(getenv('STORE'), json_encode($store));
};
$refundHalf = function (string $order, string $reference) use ($cowrie, $store): array {
    ['transaction' => $transaction, 'paid' => $paid] = $store['orders'][$order];
    $what = ['transactionReference' => $transaction, 'refundAmount' => Money::naira(intdiv(Money::kobo($paid), 2))];
    $texts = ['refundReason' => 'One yard too short', 'customerNote' => 'Adire, refund', 'refundReference' => $reference];
    return $cowrie->refunds->initiate([...$what, ...$texts]);
};
$payOut = function (string $reference, string $amount, string $bank, string $account) use ($cowrie): array {
    $name = $cowrie->transfers->validateAccount(['bankCode' => $bank, 'accountNumber' => $account])['accountName'];
    $to = ['destinationBankCode' => $bank, 'destinationAccountNumber' => $account, 'destinationAccountName' => $name];
    $what = ['sourceAccountNumber' => getenv('WALLET'), 'narration' => 'Supplier', 'amount' => $amount, 'reference' => $reference];
    try {
        return $cowrie->transfers->initiate([...$what, ...$to]);
    } catch (OutcomeUnknown $unknown) {
        return $unknown->repeat(); // under the same key: it is sent once
    }
};
$chargeAgain = function (string $order, string $reference, string $amount) use ($cowrie, $store, $common, $apiKey): array {
    $old = $cowrie->transactions->get(['transactionReference' => $store['orders'][$order]['transaction']]);
    $who = ['customerName' => $old['customer']['name'], 'customerEmail' => $old['customer']['email'], 'apiKey' => $apiKey];
    $card = ['cardToken' => $old['cardDetails']['cardToken'], 'amount' => $amount, 'paymentReference' => $reference];
    return $cowrie->cards->chargeToken([...$common, ...$who, ...$card]);
};
[$raw, $path] = [file_get_contents('php://input'), $_SERVER['REQUEST_URI']];
$acts = ['/checkout' => $checkout, '/refund' => $refundHalf, '/payout' => $payOut, '/charge' => $chargeAgain];
try {
    echo json_encode($path === '/webhook' ? $webhook($raw) : ($acts[$path] ?? fn () => $store['orders'])(...json_decode($raw, true)));
} catch (NotVerified) {
    http_response_code(401);
}
