<?php

namespace App\Http\Middleware;

use Closure;
use Throwable;

/**
 * Reports requests of AI agents to Renown. A visitor never waits for it and never sees an error of it: after the answer,
 * it writes a hit to a file and sends what waits there. It needs PHP 8.0 or later and no package.
 */
class Renown
{
    /** Names of AI agents, and signs of agents that are not known yet. The ingest decides what it counts. */
    private const AGENTS = '/(?:(?<!cu)bot|crawl|spider|agent|fetch|-user|gpt|claude|compatible;|\+http|aiwebindex|amazon-kendra|amazon-qbusiness|amazon-quick-on-behalf-of|amazonbuyforme|anchor browser|anchorbrowser|anomura|anthropic-ai|bigsur\.ai|cloudflare-autorag|codex-cli|codex_cli|cohere-ai|cotoyogi|devin|gemini-deep-research|geminicli|genspark\.ai|githubcopilotchat|google-firebase|google-gemini-cli|google-gemininotebook|google-notebooklm|google-pinpoint|googleother|grok-deepsearch|img2dataset|laion-huggingface-processor|laiondownloader|lightpanda\/1|linkreader|meta-webindexer|mistralai-index|mistralai-training|modelcontextprotocol|mozilla-tabstack|nooshub|novaact|novellum|omgili|opencode|perplexityuser|poggio-citations|proratainc|semantic-visions\.com|spawning-ai|terracotta|useai|webzio-extended|xai-grok|yandexadditional)/i';

    /** At most so many bytes wait. Further hits are dropped. */
    private const BYTES_MAX = 4_000_000;

    /** How many seconds one request may take, and the longest wait before the next try. */
    private const TIMEOUT = 3;
    private const WAIT_MAX = 60;

    private string $token;
    private string $ingest;
    private string $folder;

    public function __construct(?string $token = null, ?string $ingest = null, ?string $folder = null)
    {
        $this->token = $token ?? (string) config('services.renown.token');
        $this->ingest = rtrim($ingest ?? config('services.renown.ingest') ?? 'https://ingest.example.com', '/');
        $this->folder = $folder ?? storage_path('app/renown');
    }

    public function handle($request, Closure $next)
    {
        return $next($request);
    }

    /** Laravel calls this after it has sent the answer. */
    public function terminate($request, $response): void
    {
        try {
            $agent = (string) $request->headers->get('User-Agent');
            $isAsked = in_array($request->getMethod(), ['GET', 'HEAD'], true);
            if ($this->token !== '' && $isAsked && preg_match(self::AGENTS, $agent) === 1) {
                $this->add([
                    'id' => bin2hex(random_bytes(16)),
                    'ts' => gmdate('Y-m-d\TH:i:s\Z'),
                    // Laravel calculates both as its middleware TrustProxies says.
                    'ip' => $request->ip(),
                    'host' => $request->getHost(),
                    'method' => $request->getMethod(),
                    'url' => substr($request->getRequestUri(), 0, 4096),
                    'ua' => substr($agent, 0, 1024),
                    'referer' => substr((string) $request->headers->get('Referer'), 0, 1024),
                    'status' => $response->getStatusCode(),
                ]);
            }
            // Otherwise the visitor would wait until this ends, so only the scheduler sends.
            $isAnswered = function_exists('fastcgi_finish_request') || function_exists('litespeed_finish_request');
            if ($isAnswered || isset($_SERVER['LARAVEL_OCTANE'])) {
                $this->send();
            }
        } catch (Throwable) {
        }
    }

    /** Sends what waits. The scheduler calls it each minute, so that hits also arrive when nobody visits the app. */
    public function send(): void
    {
        if ($this->token === '' || !is_dir($this->folder) || $this->retryAt() > time()) {
            return;
        }
        // One process sends. The others go on.
        $lock = fopen("{$this->folder}/sending.lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
            return;
        }
        $end = microtime(true) + self::TIMEOUT;
        try {
            while (microtime(true) < $end && ($batch = $this->nextBatch()) !== null && $this->post($batch)) {
                unlink($batch);
            }
        } finally {
            fclose($lock);
        }
    }

    private function add(array $hit): void
    {
        $line = json_encode(array_filter($hit), JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES) . "\n";
        if (!is_dir($this->folder)) {
            @mkdir($this->folder, 0700, true);
        }
        $this->locked(function () use ($line) {
            clearstatcache();
            $bytes = array_sum(array_map('filesize', $this->batches()));
            $waiting = "{$this->folder}/waiting.ndjson";
            $bytes += is_file($waiting) ? filesize($waiting) : 0;
            if ($bytes + strlen($line) <= self::BYTES_MAX) {
                file_put_contents($waiting, $line, FILE_APPEND);
            }
        });
    }

    /** Returns the file of the batch to send. It keeps its name and its bytes, so the ingest counts it once. */
    private function nextBatch(): ?string
    {
        if ($this->batches() === []) {
            $this->locked(function () {
                $waiting = "{$this->folder}/waiting.ndjson";
                if (is_file($waiting)) {
                    rename($waiting, "{$this->folder}/batch-" . bin2hex(random_bytes(16)) . '.ndjson');
                }
            });
        }
        return $this->batches()[0] ?? null;
    }

    private function batches(): array
    {
        return glob("{$this->folder}/batch-*.ndjson") ?: [];
    }

    private function locked(Closure $work): void
    {
        $lock = fopen("{$this->folder}/waiting.lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            return;
        }
        try {
            $work();
        } finally {
            fclose($lock);
        }
    }

    /** Returns whether the ingest has the batch, or refuses it for good. Otherwise sets the time of the next try. */
    private function post(string $batch): bool
    {
        // A failure until the opposite is known, also if this process is killed meanwhile.
        $failures = (int) @file_get_contents("{$this->folder}/failures");
        $wait = min(self::WAIT_MAX, 2 ** min($failures, 6));
        $this->wait($failures + 1, $wait);
        // A stream has a limit for each read, and this is the only one that needs no extension.
        $answer = @file_get_contents("{$this->ingest}/v1/hits", false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => [
                "Authorization: Bearer {$this->token}",
                'Content-Type: application/x-ndjson',
                'Idempotency-Key: ' . basename($batch, '.ndjson'),
                'Connection: close',
            ],
            'content' => (string) file_get_contents($batch),
            'timeout' => self::TIMEOUT,
            'follow_location' => 0,
            'ignore_errors' => true,
        ]]), 0, 65_536);
        $headers = implode("\n", $http_response_header ?? []);
        $status = preg_match('~^HTTP/\S+ (\d+)~', $headers, $found) === 1 ? (int) $found[1] : 0;
        $isRefused = $status >= 400 && $status < 500 && !in_array($status, [401, 403, 404, 408, 429], true);
        if ($answer !== false && (($status >= 200 && $status < 300) || $isRefused)) {
            $this->wait(0, 0);
            return true;
        }
        if (preg_match('~^Retry-After: *(\d{1,4})~mi', $headers, $found) === 1) {
            $this->wait($failures + 1, max($wait, (int) $found[1]));
        }
        return false;
    }

    /** The next try is when a file says: its time is in the future. */
    private function wait(int $failures, int $seconds): void
    {
        file_put_contents("{$this->folder}/failures", (string) $failures);
        touch("{$this->folder}/failures", time() + $seconds);
    }

    private function retryAt(): int
    {
        clearstatcache();
        $file = "{$this->folder}/failures";
        return is_file($file) ? (int) filemtime($file) : 0;
    }
}
