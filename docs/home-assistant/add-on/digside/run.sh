#!/usr/bin/with-contenv bashio
# The broker is the one that Home Assistant offers; without one Digside publishes nothing.
if bashio::services.available mqtt; then
    DIGSIDE_MQTT="mqtt://$(bashio::services mqtt username)@$(bashio::services mqtt host):$(bashio::services mqtt port)"
    DIGSIDE_MQTT_PASSWORD="$(bashio::services mqtt password)"
    export DIGSIDE_MQTT DIGSIDE_MQTT_PASSWORD
fi
exec /opt/digside/venv/bin/python -P -m digside serve --data /data \
    --rig "$(bashio::config rig)" --mqtt-tables "$(bashio::config tables)"
