<?php

declare(strict_types=1);

namespace Cowrie\Internal;

/** How one operation is called; generated from the contract. */
final readonly class Route
{
    /**
     * @param string      $auth    `bearer`, `basic` or `none`
     * @param bool        $keyed   the gateway does it once under its Idempotency-Key, so it may be repeated
     * @param bool        $items   the body is a list, and the input has it as `items`
     * @param bool        $file    the answer is a file, without the envelope
     * @param list<string>|null $outcome it moves money: the operation that tells what became of it, the field it takes, and the field of the
     *                             input that has its value
     * @param string      $takes   where the input has amounts: `amount transactionList.amount`
     * @param string      $amounts where the answer has amounts as numbers
     */
    public function __construct(
        public string $method,
        public string $path,
        public string $auth = 'bearer',
        public bool $keyed = false,
        public bool $body = false,
        public bool $items = false,
        public bool $file = false,
        public ?array $outcome = null,
        public string $takes = '',
        public string $amounts = '',
    ) {
    }
}
