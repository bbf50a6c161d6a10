<?php

declare(strict_types=1);

// #region php
require __DIR__ . '/../../../clients/php/autoload.php';
require __DIR__ . '/fulfil.php';

use Cowrie\Error\NotVerified;
use Cowrie\Webhooks;

try {
    $event = Webhooks::verify(file_get_contents('php://input'), getallheaders(), [getenv('COWRIE_SECRET_KEY')]);
} catch (NotVerified $error) {
    error_log($error->getMessage());
    http_response_code(401);
    exit;
}
take($event);
// #endregion
