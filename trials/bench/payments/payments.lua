-- The load of one payment over HTTP, for wrk: init-transaction, init-payment, the bank's credit notice. wrk does not say
-- which connection an answer came on, so answers fill two queues and each request takes the most advanced work there is.
-- Arguments: file with "token contractCode" lines, the bank key, nine digits of the run's own, and, where only credits are
-- measured, a file with account numbers that wait for one.
local ffi = require('ffi')
ffi.cdef [[
  const void *EVP_sha256(void);
  struct moment { long seconds; long nanos; };
  int clock_gettime(int clock, struct moment *at);
  unsigned char *HMAC(const void *md, const void *key, int key_len, const unsigned char *d, size_t n, unsigned char *out, unsigned int *len);
]]
local crypto = ffi.load('libcrypto.so.3')
local digest, length = ffi.new('unsigned char[64]'), ffi.new('unsigned int[1]')
local sha256 = crypto.EVP_sha256()

local bank_key
local heads, contracts = {}, {}
local made = 0
local references, accounts = {}, {}
paid, refused = 0, 0
began, ended = 0, 0
local only_credits = false
local waiting = 0

local moment = ffi.new('struct moment')
local function now()
  ffi.C.clock_gettime(1, moment)
  return tonumber(moment.seconds) + tonumber(moment.nanos) / 1e9
end

local HEX = ffi.new('char[16]', '0123456789abcdef')
local hex = ffi.new('char[64]')

local function hmac(text)
  crypto.HMAC(sha256, bank_key, #bank_key, text, #text, digest, length)
  for i = 0, 31 do
    hex[2 * i] = HEX[bit.rshift(digest[i], 4)]
    hex[2 * i + 1] = HEX[bit.band(digest[i], 15)]
  end
  return ffi.string(hex, 64)
end

-- Requests are put together by hand: wrk.format walks a table of headers for each, and the load shares the machine with
-- what it measures.
local function post(path, headers, body)
  return 'POST ' .. path .. ' HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n' .. headers .. 'Content-Length: ' .. #body .. '\r\n\r\n' .. body
end

local threads = {}
function setup(thread) table.insert(threads, thread) end

function init(args)
  bank_key = args[2]
  run = args[3]
  for line in io.lines(args[1]) do
    local token, contract = line:match('^(%S+) (%S+)$')
    heads[#heads + 1] = 'Authorization: Bearer ' .. token .. '\r\n'
    contracts[#contracts + 1] = contract
  end
  if args[4] then
    only_credits = true
    for line in io.lines(args[4]) do accounts[#accounts + 1] = line end
    waiting = #accounts
  end
end

local INIT = '/api/v1/merchant/transactions/init-transaction'
local ISSUE = '/api/v1/merchant/bank-transfer/init-payment'
local CREDIT = '/connector/v1/credits'

local function credit(account)
  made = made + 1
  local session = string.format('000013%s%015d', run, made)
  local body = '{"sessionId":"' .. session .. '","bankCode":"50515","accountNumber":"' .. account ..
    '","amount":"1500.00","senderName":"BOLA ADE BALOGUN","senderAccountNumber":"2034454417","senderBankCode":"058","paidAt":"2026-01-01T00:00:00Z"}'
  local now = tostring(os.time())
  return post(CREDIT, 'cowrie-timestamp: ' .. now .. '\r\ncowrie-signature: v1=' .. hmac(now .. '.POST ' .. CREDIT .. '.' .. body) .. '\r\n', body)
end

local verified = false
function request()
  if not verified then -- wrk asks once beforehand, to verify, and does not send that one
    verified = true
    return wrk.format('GET', '/health')
  end
  local account = table.remove(accounts)
  if account then
    if began == 0 then began = now() end
    return credit(account)
  end
  if only_credits then return wrk.format('GET', '/health') end
  local item = table.remove(references)
  if item then
    return post(ISSUE, heads[item[2]], '{"transactionReference":"' .. item[1] .. '"}')
  end
  made = made + 1
  local merchant = made % #heads + 1
  return post(INIT, heads[merchant],
    '{"amount":1500,"customerName":"Ngozi Bello","customerEmail":"ngozi@example.com","paymentReference":"m' .. merchant .. '-' .. run .. '-' .. made ..
    '","paymentDescription":"Two yards of adire","currencyCode":"NGN","contractCode":"' .. contracts[merchant] .. '"}')
end

-- Whoever measures credits alone ends wrk at this word: it goes by time, and does not know when it is done.
local function answered()
  if only_credits and paid + refused == waiting then
    io.stderr:write('all answered\n')
    io.stderr:flush()
  end
end

function response(status, headers, body)
  if status ~= 200 then
    refused = refused + 1
    answered()
    if refused == 1 then io.stderr:write('refused: ' .. status .. ' ' .. body .. '\n') end
    return
  end
  local account = body:match('"accountNumber":"(%d+)"')
  if account then
    accounts[#accounts + 1] = account
    return
  end
  local reference, merchant = body:match('"transactionReference":"([^"]+)","paymentReference":"m(%d+)')
  if reference then
    references[#references + 1] = { reference, tonumber(merchant) }
  elseif body:find('COUNTED', 1, true) then
    paid = paid + 1
    ended = now()
    answered()
  end
end

function done(summary, latency, requests)
  local total, bad, took = 0, 0, 0
  for _, thread in ipairs(threads) do
    total = total + thread:get('paid')
    bad = bad + thread:get('refused')
    took = thread:get('ended') - thread:get('began')
  end
  io.write(string.format('RESULT {"paid":%d,"refused":%d,"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"errors":%d,"took":%.3f}\n',
    total, bad, summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout, took))
end
