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

  /** Is a call running? */
  get busy(): boolean { return this.calls.size > 0; }

  /** Runs a task of `worker.ts`. */
  call<T>(task: string, args: unknown[], progress?: (value: never) => void): Promise<T> {
    this.worker ??= this.start();
    const id = this.next++;
    this.worker.postMessage({ id, task, args });
    return new Promise<T>((resolve, reject) => {
      this.calls.set(id, { resolve, reject, progress } as Call);
    });
  }

  /** As `call`, but stops the worker after a time. */
  async callWithin<T>(milliseconds: number, late: string, task: string, args: unknown[]) {
    // The time begins when the worker is ready, which is no fault of the task.
    await this.call("ready", []);
    const timer = setTimeout(() => this.stop({ message: late }), milliseconds);
    try { return await this.call<T>(task, args); } finally { clearTimeout(timer); }
  }

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
