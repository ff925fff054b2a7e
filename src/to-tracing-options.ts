import type { Environment } from './environment.ts';
import { InvalidInputError } from './errors.ts';
import { readVersion } from './read-version.ts';
import type { Sampling, TracingOptions } from './tracing/tracing-options.ts';

/** Returns how traces are exported, or null if no endpoint is set. Throws an InvalidInputError that names the invalid variable. */
export function toTracingOptions(env: Environment, app: string): TracingOptions | null {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: toPairs('OTEL_EXPORTER_OTLP_HEADERS', env.OTEL_EXPORTER_OTLP_HEADERS),
    resource: {
      ...toPairs('OTEL_RESOURCE_ATTRIBUTES', env.OTEL_RESOURCE_ATTRIBUTES),
      'service.name': env.OTEL_SERVICE_NAME,
      'service.version': readVersion(),
      'platen.role': env.ROLE,
    },
    sampling: toSampling(env),
    app,
  };
}

/** An order's span never has a parent, so the samplers that follow a parent act like their counterparts. */
function toSampling({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }: Environment): Sampling {
  if (sampler.endsWith('traceidratio')) return { ratio };
  return sampler.endsWith('always_off') ? 'always_off' : 'always_on';
}

/** Parses `name=value,name=value` with percent-encoded values. */
function toPairs(variable: string, text: string = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      try {
        if (at > 0) return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      } catch {
        // The value is not percent-encoded correctly.
      }
      throw new InvalidInputError(
        variable,
        `${variable} must be a list such as name=value,name2=value2, with percent-encoded values.`,
      );
    }),
  );
}
