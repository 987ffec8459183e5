// Calls into a worker, which can be stopped at any time.
import type { Fault } from "./api.ts";

/** The reason of calls that `Remote.stop` ended. */
export const STOPPED: Fault = { message: "Stopped." };

interface Call {
  resolve(value: unknown): void; reject(reason: unknown): void; progress?(value: unknown): void;
}

/** A worker with an instance of the module of its own. It starts with its first call. */
export class Remote {
  private worker: Worker | null = null;
  private calls = new Map<number, Call>();
  private next = 0;

  constructor(private readonly module: WebAssembly.Module) {}

  /** Runs a task of `worker.ts`. */
  call<T>(task: string, args: unknown[], progress?: (value: never) => void): Promise<T> {
    this.worker ??= this.start();
    const id = this.next++;
    this.worker.postMessage({ id, task, args });
    return new Promise<T>((resolve, reject) => {
      this.calls.set(id, { resolve, reject, progress } as Call);
    });
  }

  /** Ends all calls, and the worker if there are any. */
  interrupt(): void { if (this.calls.size) this.stop(); }

  /** Ends the worker and all calls. */
  stop(reason: Fault = STOPPED): void {
    this.worker?.terminate();
    this.worker = null;
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) call.reject(reason);
  }

  private start(): Worker {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.postMessage({ module: this.module });
    worker.onerror = event => this.stop({ message: event.message || "The worker has failed." });
    worker.onmessage = ({ data }) => {
      const call = this.calls.get(data.id);
      if (!call) return;
      if ("progress" in data) return call.progress?.(data.progress);
      this.calls.delete(data.id);
      if ("fault" in data) {
        call.reject(data.fault);
        // After a panic, the instance cannot be trusted.
        if (data.fatal) this.stop(data.fault);
      } else call.resolve(data.value);
    };
    return worker;
  }
}
