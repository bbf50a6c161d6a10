<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Cowrie\Cowrie;

$cowrie = new Cowrie(getenv('COWRIE_URL'), getenv('COWRIE_API_KEY'), getenv('COWRIE_SECRET_KEY'));

$payment = $cowrie->transactions->init([
    'amount' => '1500.00',
    'customerEmail' => 'ngozi@example.com',
    'paymentReference' => 'order-1029',
    'currencyCode' => 'NGN',
    'contractCode' => getenv('COWRIE_CONTRACT'),
]);
echo $payment['checkoutUrl'], "\n";
