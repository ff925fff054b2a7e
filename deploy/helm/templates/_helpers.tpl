{{- define "platen.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "platen.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* The same labels on one line. */}}
{{- define "platen.match" -}}
{{ include "platen.selector" . | fromYaml | toJson }}
{{- end }}

{{- define "platen.labels" -}}
{{ include "platen.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "platen.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "platen.secret" -}}
{{ .Values.secret.existing | default (include "platen.name" .) }}
{{- end }}

{{/* Everything that Platen's pods have in common, as the Pod Security Standard "restricted" requires. */}}
{{- define "platen.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "platen.container" -}}
image: {{ include "platen.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "platen.env" -}}
env:
  - { name: ROLE, value: {{ .role }} }
  - { name: PORT, value: '3000' }
  - { name: HOST, value: 0.0.0.0 }
  - { name: PLATEN_HOME, value: /var/lib/platen }
  {{- range $name, $value := .root.Values.config }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
envFrom:
  - secretRef: { name: {{ .secret | default (include "platen.secret" .root) }} }
{{- end }}

{{/* The pod template of the processes: web and worker. */}}
{{- define "platen.process" -}}
metadata:
  labels: {{- include "platen.labels" . | nindent 4 }}
    {{- with .root.Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    {{- if not .root.Values.secret.existing }}
    checksum/secret: {{ toYaml .root.Values.secret.values | sha256sum }}
    {{- end }}
    {{- with .root.Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
    kubectl.kubernetes.io/default-container: platen
spec:
  {{- include "platen.pod" . | nindent 2 }}
  serviceAccountName: {{ include "platen.name" .root }}
  # Platen stops within 25 seconds after the 5 seconds of preStop.
  terminationGracePeriodSeconds: 40
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector: { matchLabels: {{ include "platen.match" . }} }
  {{- with .root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: platen
      {{- include "platen.container" . | nindent 6 }}
      {{- include "platen.env" . | nindent 6 }}
      ports:
        - { name: http, containerPort: 3000 }
      # The pod starts to receive traffic, and a rollout continues, only once the database, the queue and the encryption key work. A process
      # waits up to 10 minutes for a migration.
      startupProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 150
      # From then on, readiness does not depend on the database: web pods accept the print service's events during an outage, and if no pod
      # were ready, these events would be lost.
      readinessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 20
        timeoutSeconds: 5
        failureThreshold: 3
      # Load balancers need a moment to notice that the pod is ending.
      lifecycle:
        preStop: { sleep: { seconds: 5 } }
      resources: {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - { name: home, mountPath: /var/lib/platen }
{{- end }}
