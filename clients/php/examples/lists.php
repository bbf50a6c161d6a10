<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Cowrie\Cowrie;
use Cowrie\Money;

$cowrie = new Cowrie(getenv('COWRIE_URL'), getenv('COWRIE_API_KEY'), getenv('COWRIE_SECRET_KEY'));

$sum = 0;
foreach ($cowrie->transfers->list(['pageSize' => 50]) as $transfer) { // all of them, page by page
    $sum += Money::kobo($transfer['amount']);
}
echo Money::naira($sum), "\n";
