<?php

declare(strict_types=1);

// #region php
require __DIR__ . '/../../../clients/php/autoload.php';

use Cowrie\Error\NotVerified;
use Cowrie\Events\SuccessfulTransaction;
use Cowrie\Webhooks;

try {
    $event = Webhooks::verify(file_get_contents('php://input'), getallheaders(), [getenv('COWRIE_SECRET_KEY')]);
} catch (NotVerified $error) {
    error_log($error->getMessage());
    http_response_code(401);
    exit;
}
// A file that can be made only once; in a shop it is a table with a unique key, in one transaction with the order.
$first = @fopen(getenv('SEEN') . '/' . basename($event->id), 'x') !== false;
if ($first && $event instanceof SuccessfulTransaction && $event->eventData['paymentStatus'] === 'PAID') {
    error_log("{$event->eventData['paymentReference']} is paid, {$event->eventData['amountPaid']}");
}
// #endregion
