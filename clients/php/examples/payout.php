<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Cowrie\Cowrie;
use Cowrie\Error\OutcomeUnknown;
use Cowrie\Error\Refused;

$cowrie = new Cowrie(getenv('COWRIE_URL'), getenv('COWRIE_API_KEY'), getenv('COWRIE_SECRET_KEY'));
$to = ['bankCode' => '058', 'accountNumber' => '0123456789'];
$payout = [
    'amount' => $argv[2],
    'reference' => $argv[1],
    'narration' => 'Supplier',
    'sourceAccountNumber' => getenv('COWRIE_WALLET'),
    'destinationBankCode' => $to['bankCode'],
    'destinationAccountNumber' => $to['accountNumber'],
    'destinationAccountName' => $cowrie->transfers->validateAccount($to)['accountName'],
];

try {
    $transfer = $cowrie->transfers->initiate($payout);
} catch (OutcomeUnknown $unknown) {
    $transfer = $unknown->ask() ?? $unknown->repeat();
} catch (Refused $refused) {
    exit("$refused->sentence ($refused->errorCode, request $refused->requestId): $refused->docUrl\n");
}
echo "{$transfer['reference']}: {$transfer['amount']}\n";
