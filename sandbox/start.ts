import { mkdirSync } from 'node:fs';
import type { Serving } from './serve.ts';
import { startPrintService } from './print/start.ts';
import { startStore } from './store/start.ts';

export interface SandboxOptions {
  /** The folder that contains the books of both stand-ins. */
  home: string;
  print: { port: number; advanceSeconds: number | null; extended: boolean } | null;
  store: { port: number; appUrl: string; apiKey: string; apiSecret: string } | null;
}

export interface Sandbox {
  print: Serving | null;
  store: Serving | null;
  close(): Promise<void>;
}

/** Starts the requested stand-ins with their existing books. Rejects if a port is in use, and names the variable to change. */
export async function startSandbox({ home, print, store }: SandboxOptions): Promise<Sandbox> {
  mkdirSync(home, { recursive: true });
  const printService =
    print && (await startIfPortFree('SANDBOX_PRINT_PORT', print.port, () => startPrintService({ home, ...print })));
  try {
    const storefront =
      store && (await startIfPortFree('SANDBOX_STORE_PORT', store.port, () => startStore({ home, ...store })));
    return {
      print: printService,
      store: storefront,
      async close() {
        await storefront?.close();
        await printService?.close();
      },
    };
  } catch (error) {
    await printService?.close();
    throw error;
  }
}

async function startIfPortFree(variable: string, port: number, start: () => Promise<Serving>): Promise<Serving> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} is in use: another sandbox may be running. Stop it, or set ${variable} to a free port.`,
      { cause: error },
    );
  }
}
