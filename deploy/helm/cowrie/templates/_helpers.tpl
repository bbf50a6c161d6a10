{{- define "cowrie.name" -}}
{{- if contains "cowrie" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-cowrie" (.Release.Name | trunc 43 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- /* What finds the pods; never changed, because a Deployment cannot be given another. */ -}}
{{- define "cowrie.selector" -}}
app.kubernetes.io/name: cowrie
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "cowrie.labels" -}}
{{ include "cowrie.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "cowrie.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* What every pod is, migrations included. */ -}}
{{- define "cowrie.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "cowrie.container" -}}
image: {{ include "cowrie.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- define "cowrie.certificatesMount" -}}
- name: certificates
  mountPath: /etc/cowrie/certificates
  readOnly: true
{{- end -}}
{{- define "cowrie.certificatesVolume" -}}
- name: certificates
  configMap:
    name: {{ .Values.certificates.configMap }}
{{- end -}}

{{- /* Settings that only the chart may write: others would not fit the rest of it. */ -}}
{{- define "cowrie.own" -}}
ENVIRONMENT CELLS IDENTITIES SMTP_URL MASTER_KEY MASTER_KEY_FILE MASTER_KEYS MASTER_KEYS_FILE BANK_KEY BANK_KEY_FILE BANK_KEYS BANK_KEYS_FILE BANK_URL PUBLIC_URL MAIL_FROM TRUSTED_PROXIES HOST PORT PRIVATE_HOST PRIVATE_PORT OPERATOR_HOST OPERATOR_PORT OPERATOR_URL DRAIN_SECONDS STOP_SECONDS OIDC_ISSUER OIDC_CLIENT_ID OIDC_CLIENT_SECRET NODE_EXTRA_CA_CERTS
{{- end -}}

{{- /* The settings of api and worker. */ -}}
{{- define "cowrie.env" -}}
- name: ENVIRONMENT
  value: {{ .Values.environment | quote }}
- name: PUBLIC_URL
  value: {{ required "publicUrl is needed: the address that merchants and payers know" .Values.publicUrl | quote }}
- name: BANK_URL
  value: {{ required "bankUrl is needed: the bank's side of the bank connector protocol" .Values.bankUrl | quote }}
- name: CELLS
  valueFrom:
    secretKeyRef: { name: {{ .Values.secrets.gateway | quote }}, key: CELLS }
- name: IDENTITIES
  valueFrom:
    secretKeyRef: { name: {{ .Values.secrets.gateway | quote }}, key: IDENTITIES, optional: true }
- name: SMTP_URL
  valueFrom:
    secretKeyRef: { name: {{ .Values.secrets.gateway | quote }}, key: SMTP_URL }
- name: MASTER_KEYS_FILE
  value: /etc/cowrie/keys/MASTER_KEYS
- name: BANK_KEYS_FILE
  value: /etc/cowrie/keys/BANK_KEYS
{{- with .Values.mailFrom }}
- name: MAIL_FROM
  value: {{ . | quote }}
{{- end }}
{{- with .Values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
{{- if .Values.oidc.issuer }}
- name: OIDC_ISSUER
  value: {{ .Values.oidc.issuer | quote }}
- name: OIDC_CLIENT_ID
  value: {{ required "oidc.clientId is needed beside oidc.issuer" .Values.oidc.clientId | quote }}
- name: OIDC_CLIENT_SECRET
  valueFrom:
    secretKeyRef: { name: {{ .Values.secrets.gateway | quote }}, key: OIDC_CLIENT_SECRET }
{{- end }}
{{- if .Values.certificates.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/cowrie/certificates/{{ .Values.certificates.key }}
{{- end }}
- name: PRIVATE_HOST
  value: "0.0.0.0"
- name: PRIVATE_PORT
  value: "4002"
- name: DRAIN_SECONDS
  value: {{ .Values.drainSeconds | quote }}
- name: STOP_SECONDS
  value: {{ .Values.stopSeconds | quote }}
{{- $own := splitList " " (include "cowrie.own" .) }}
{{- range $name, $value := .Values.settings }}
{{- if has $name $own }}
{{- fail (printf "settings must not have %s: the chart has a value for it" $name) }}
{{- end }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "cowrie.probes" -}}
# Slow is not gone: a busy process answers late, and taking it away makes the others busier.
startupProbe:
  httpGet: { path: /health, port: private }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health, port: private }
  periodSeconds: 10
  timeoutSeconds: 20
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /ready, port: private }
  periodSeconds: 2
  timeoutSeconds: 20
  failureThreshold: 1
{{- end -}}

{{- define "cowrie.mounts" -}}
volumeMounts:
  # The whole folder, never a single file of it: only so does a changed Secret reach a pod that runs.
  - name: keys
    mountPath: /etc/cowrie/keys
    readOnly: true
  {{- if .Values.certificates.configMap }}
  {{- include "cowrie.certificatesMount" . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "cowrie.volumes" -}}
volumes:
  - name: keys
    secret:
      secretName: {{ .Values.secrets.gateway | quote }}
      defaultMode: 288 # r--r-----
      items:
        - { key: MASTER_KEYS, path: MASTER_KEYS }
        - { key: BANK_KEYS, path: BANK_KEYS }
  {{- if .Values.certificates.configMap }}
  {{- include "cowrie.certificatesVolume" . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- /* One more than there should be, and never one less: the next old pod ends when the new one is ready. */ -}}
{{- define "cowrie.rollout" -}}
revisionHistoryLimit: 5
strategy:
  type: RollingUpdate
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
{{- end -}}

{{- define "cowrie.spread" -}}
topologySpreadConstraints:
{{- if .root.Values.topologySpreadConstraints }}
  {{- toYaml .root.Values.topologySpreadConstraints | nindent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "cowrie.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end -}}
