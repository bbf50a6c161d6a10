<?php

// For who does not use Composer: require this file.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Cowrie\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Cowrie\\')), '\\', '/') . '.php';
    // One generated file holds the operations and the events.
    require_once is_file($file) ? $file : __DIR__ . '/generated/operations.php';
});
