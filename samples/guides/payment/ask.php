<?php

declare(strict_types=1);

require __DIR__ . '/../../../clients/php/autoload.php';

$cowrie = new Cowrie\Cowrie(getenv('COWRIE_URL'), getenv('COWRIE_API_KEY'), getenv('COWRIE_SECRET_KEY'));
$order = $argv[1];

// #region ask
$payment = $cowrie->transactions->init([
    'amount' => '1500.00',
    'customerName' => 'Ngozi Bello',
    'customerEmail' => 'ngozi@example.com',
    'paymentReference' => $order, // your own, new for each payment
    'paymentDescription' => 'Two yards of adire',
    'currencyCode' => 'NGN',
    'contractCode' => getenv('COWRIE_CONTRACT'),
    'redirectUrl' => 'https://shop.example/thanks',
]);
echo $payment['checkoutUrl'], "\n"; // send the payer there
// #endregion
