<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

function fulfil(string $order, string $amount): void
{
    echo "$order is paid, $amount\n";
}

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
if ($event instanceof SuccessfulTransaction) {
    fulfil($event->eventData['paymentReference'], $event->eventData['amountPaid']);
}
